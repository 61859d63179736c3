import { readFileSync } from 'node:fs';
import { type Scope, SCOPES } from '../../src/domain/access/scope.js';
import type { AccessRule } from '../../src/http/access/access.js';

/**
 * A key with a single scope. Other combinations cannot be created: `partner:read` is bound to a partner, and a bound key has only that scope and
 * `read`.
 */
export interface LoneKey {
  /** The heading of its column in the table. */
  name: string;
  scope: Scope;
  bound: boolean;
}

export const LONE_KEYS: readonly LoneKey[] = [
  ...SCOPES.filter((scope) => scope !== 'partner:read').map((scope) => ({ scope, bound: false })),
  { scope: 'read' as const, bound: true },
  { scope: 'partner:read' as const, bound: true },
].map(({ scope, bound }) => ({ name: `\`${scope}\`${bound ? ', bound' : ''}`, scope, bound }));

/** A row of the table: an operation of a contract, and the names of the keys that it admits. */
export interface AccessRow {
  /** `GET /keys` */
  operation: string;
  contracts: string;
  admitted: string[];
}

/** Whether a rule admits a key: a second implementation, for comparison. */
export const admits = (rule: Exclude<AccessRule, 'public'>, { scope, bound }: LoneKey): boolean =>
  rule.scopes.includes(scope) && (bound || rule.partner !== true);

const SECURITY = new URL('../../docs/security.md', import.meta.url);
const HEADING = '## Who may call what';

/** The rows of the table in `docs/security.md`. */
export function tableOf(): AccessRow[] {
  const [, after = ''] = readFileSync(SECURITY, 'utf8').split(`${HEADING}\n`);
  const lines = after
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.map(([operation = '', contracts = '', ...cells]) => ({
    operation: operation.replaceAll('`', ''),
    contracts,
    admitted: head.slice(2).filter((_, place) => cells[place] === 'yes'),
  }));
}

/** The table as it should be written there. */
export function written(rows: readonly AccessRow[]): string {
  const names = LONE_KEYS.map(({ name }) => name);
  const lines = rows.map(({ operation, contracts, admitted }) => [
    `\`${operation}\``,
    contracts,
    ...names.map((name) => (admitted.includes(name) ? 'yes' : '')),
  ]);
  const head = ['operation', 'contract', ...names];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
