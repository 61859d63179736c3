import type { OpenAPIObject } from '@nestjs/swagger';
import { PARTNER_KEY_SCOPES, type Scope, SCOPES } from '../domain/tenants/access/scope.js';

/** A key with a single scope. A key with several may do what each of them may. */
export interface LoneKey {
  scope: Scope;
  /** Whether it is bound to a partner. */
  bound: boolean;
}

/** Every key with a single scope that the database admits, in the order of the table's columns. */
export const LONE_KEYS: readonly LoneKey[] = [
  ...SCOPES.filter((scope) => scope !== 'partner:read').map((scope) => ({ scope, bound: false })),
  ...PARTNER_KEY_SCOPES.toReversed().map((scope) => ({ scope, bound: true })),
];

interface Operation {
  'x-required-scopes': readonly Scope[];
  'x-partner-key-required'?: boolean;
}

/** Documents by contract. */
type Documents = Readonly<Record<string, OpenAPIObject>>;

/** Markdown table of the operations of all contracts, and the keys that each admits. */
export function accessTable(documents: Documents): string {
  const rows = new Map<string, string[]>();
  for (const [contract, { paths }] of Object.entries(documents))
    for (const [path, item] of Object.entries(paths))
      for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
        const cells = LONE_KEYS.map((key) => (admits(operation, key) ? 'yes' : ''));
        const row = [path, method.toUpperCase(), ...cells].join('\t');
        rows.set(row, [...(rows.get(row) ?? []), contract]);
      }
  const all = Object.keys(documents).length;
  const lines = [...rows.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([row, contracts]) => {
      const [path, method, ...cells] = row.split('\t');
      return [`\`${method} ${path}\``, contracts.length === all ? 'both' : contracts.join(', '), ...cells];
    });
  const names = LONE_KEYS.map(({ scope, bound }) => `\`${scope}\`${bound ? ', bound' : ''}`);
  const head = ['operation', 'contract', ...names];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const admits = (operation: Operation, { scope, bound }: LoneKey): boolean =>
  operation['x-required-scopes'].includes(scope) && (bound || operation['x-partner-key-required'] !== true);
