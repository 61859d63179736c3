import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import type * as z from 'zod';
import { CONSTANTS } from './constants.js';
import { ENVIRONMENT } from './environment.js';
import { allowedOf, isSecret, type SettingKey, variableOf } from './read-environment.js';
import { snakeCase } from './spelling.js';

interface ConstantRow {
  key: string;
  value: string;
  allowed: string;
  meaning: string;
}

export const variableRows = (): string[][] =>
  (Object.keys(ENVIRONMENT) as SettingKey[]).map((key) => {
    const { says = '', unset } = ENVIRONMENT[key].meta() ?? {};
    return [`\`${variableOf(key)}\``, unset ?? defaultOf(key), allowedOf(key), says + secretOf(key)];
  });

const secretOf = (key: SettingKey): string => (isSecret(key) ? ` Secret: \`${variableOf(key)}_FILE\`.` : '');

function defaultOf(key: SettingKey): string {
  const value = ENVIRONMENT[key].safeParse(undefined).data;
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : 'none';
}

/**
 * Constants in the order of the schema: allowed values by the schema, value and meaning by the files.
 * @throws Error for a key without a comment in default.yaml
 */
export function constantRows(folder: string): ConstantRow[] {
  const files = ['default', 'partner', 'sandbox'].map((name) => {
    return { name, document: parseDocument(readFileSync(join(folder, `${name}.yaml`), 'utf8')) };
  });
  return leavesOf(CONSTANTS).map(({ path, type }) => {
    const found = files.map(({ name, document }) => ({
      name,
      node: document.getIn(path, true) as Node | undefined,
    }));
    const meaning = found.map(({ node }) => node?.comment?.trim()).find(Boolean);
    const key = path.join('.');
    if (meaning === undefined) throw new Error(`${key} has no comment in config/default.yaml.`);
    return { key, value: valuesOf(found), allowed: type.meta()?.allowed ?? '', meaning };
  });
}

interface Leaf {
  path: string[];
  type: z.ZodType;
}

const leavesOf = (type: z.ZodType, above: string[] = []): Leaf[] =>
  'shape' in type && type.meta()?.allowed === undefined
    ? Object.entries(type.shape as z.ZodRawShape).flatMap(([key, inner]) =>
        leavesOf(inner as z.ZodType, [...above, snakeCase(key)]),
      )
    : [{ path: above, type }];

/** Value of both contracts, or what each has where they differ. */
function valuesOf(found: readonly { name: string; node: Node | undefined }[]): string {
  const values = found.flatMap(({ name, node }) => {
    if (isSeq(node)) return [{ name, text: node.items.join(', ') }];
    if (isMap(node))
      return [
        { name, text: node.items.map(({ key, value }) => `${String(key)} ${String(value)}`).join(', ') },
      ];
    return isScalar(node) ? [{ name, text: JSON.stringify(node.value) }] : [];
  });
  return values.map(({ name, text }) => (name === 'default' ? text : `${text} (${name})`)).join('; ');
}
