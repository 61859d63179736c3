import { randomBytes } from 'node:crypto';
import { type DocumentedOperation, kindOf } from './document.js';

/** What the bodies of a test name. */
export interface NamedBody {
  /** Ids by kind. A field whose kind is not here is left out. */
  ids: Record<string, string>;
  /** Address of a receiver. */
  url: string;
}

let count = 0;

/**
 * A body that an operation accepts: the example of its document, with the caller's own ids, and another one each time. undefined: it takes none. An
 * operation whose example does not fit a test's records has a body in that test.
 */
export function acceptedBody(
  { path, example, body }: DocumentedOperation,
  named: NamedBody,
): Record<string, unknown> | undefined {
  if (!example || !body) return undefined;
  count++;
  const fields = Object.entries<any>(body.properties ?? {}).flatMap(([name, schema]): [string, unknown][] => {
    const shown = (example as Record<string, unknown>)[name];
    if (shown === undefined) return [];
    const kind = kindOf(path, schema);
    if (kind === undefined || kind === 'vlt') return [[name, renewed(name, schema, shown, named.url)]];
    const id = named.ids[kind];
    return id === undefined ? [] : [[name, id]];
  });
  return Object.fromEntries(fields);
}

/** Where an answer shows a new secret, by the schema of its `data`: `api_key.secret`. undefined: nowhere. */
export function secretIn({ data }: DocumentedOperation): ((data: any) => string) | undefined {
  const fields = Object.entries<any>(data?.properties ?? {});
  if (fields.some(([name]) => name === 'secret')) return (one) => one.secret;
  const [outer] = fields.find(([, schema]) => schema.properties?.secret) ?? [];
  return outer === undefined ? undefined : (one) => one[outer].secret;
}

const HEX = /^\^0x\[0-9a-fA-F\]\{(\d+)\}\$$/;
const isText = ({ type, pattern, format, enum: choices }: any): boolean =>
  [type].flat().includes('string') && (pattern ?? '\\S') === '\\S' && !format && !choices;

function renewed(name: string, schema: any, shown: unknown, url: string): unknown {
  if (name === 'url') return `${url}/${count}`;
  if (Array.isArray(shown)) return shown.map((one) => renewed('', schema.items ?? {}, one, url));
  const digits = HEX.exec(schema.pattern ?? '')?.[1];
  if (digits) return `0x${randomBytes(Number(digits) / 2).toString('hex')}`;
  if (isText(schema)) return `${String(shown)} ${count}`;
  if ([schema.type].flat().includes('integer') && typeof shown === 'number')
    return schema.minimum + ((shown + count) % (schema.maximum - schema.minimum + 1));
  return shown;
}
