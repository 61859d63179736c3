import { columnsOf, integer, text, time, jsonb } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { Policy, PolicyRules, RulesInForce } from './policy.js';

const VERSION = {
  version: integer(),
  own: jsonb<PolicyRules>(),
  bounds: jsonb<PolicyRules>(),
  inForce: jsonb<RulesInForce>(),
  digest: text(),
  at: time(),
};

/**
 * SQL expression for a partner's newest policy: a `Policy`, or null.
 * @param partner column with its id
 */
export const policyOf = (partner: string): string =>
  `(SELECT jsonb_build_object('version', pp.version, 'digest', pp.digest) || pp.in_force FROM partner_policies pp
     WHERE pp.partner_id = ${partner} ORDER BY pp.version DESC LIMIT 1)`;

export const FIND_IN_FORCE = statement(
  'policies.find_in_force',
  { values: [text()], row: { policy: jsonb<Policy | null>() } },
  `SELECT ${policyOf('p.id')} AS policy FROM partners p WHERE p.id = $1`,
);

export const FIND = statement(
  'policies.find',
  { values: [text()], row: VERSION },
  `SELECT ${columnsOf(VERSION)} FROM partner_policies WHERE partner_id = $1 ORDER BY version DESC LIMIT 1`,
);

/** $2: the version. */
export const FIND_VERSION = statement(
  'policies.find_version',
  { values: [text(), integer()], row: VERSION },
  `SELECT ${columnsOf(VERSION)} FROM partner_policies WHERE partner_id = $1 AND version = $2`,
);

/** Serialises new versions of one partner. */
export const LOCK_PARTNER = statement(
  'policies.lock_partner',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM partners WHERE id = $1 FOR NO KEY UPDATE`,
);

export const INSERT = statement(
  'policies.insert',
  {
    values: [
      text(),
      integer(),
      time(),
      jsonb<PolicyRules>(),
      jsonb<PolicyRules>(),
      jsonb<RulesInForce>(),
      text(),
    ],
    row: {},
  },
  `INSERT INTO partner_policies (partner_id, version, at, own, bounds, in_force, digest) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

/** Deletes versions up to one. Decisions store a copy of the rules that they were made by. */
export const FORGET = statement(
  'policies.forget',
  { values: [text(), integer()], row: {} },
  `DELETE FROM partner_policies WHERE partner_id = $1 AND version <= $2`,
);
