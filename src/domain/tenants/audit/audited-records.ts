import { Injectable } from '@nestjs/common';
import { integer, json, jsonb, orNull, rowCount, text } from '../../kernel/store/column.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { DEPLOYMENT } from '../../kernel/deployment/replicas.js';
import { endOfInvoice, reportedTransactions } from './audit.queries.js';
import { digestOf, type RulesInForce } from '../policies/policy.js';

const PAGE = 1_000;

/** The first entry of a position. */
const OPENING = `(SELECT * FROM ledger_entries WHERE position_id = p.id AND type = 'deposit' ORDER BY at, id LIMIT 1) AS opening`;

/** Of all transactions of a report of a move. */
const resolutionOf = (step: string): string =>
  `(SELECT string_agg(DISTINCT resolution || ': ' || note, '; ') FROM report_checks c WHERE c.order_id = r.id AND step = '${step}')`;

/**
 * Fields of records whose changes are all audited. Exceptions: disabling a partner revokes its keys without an entry for each key, so `revoked_at` is
 * compared only if an entry of the key sets it; a settlement's status comes from checks, so only its resolution is compared; for a position, the
 * requested deposit is compared, all parts of a split deposit together.
 */
const FIELDS = {
  partners: `to_jsonb(r) || coalesce((SELECT jsonb_build_object('version', version, 'own', own, 'bounds', bounds) FROM partner_policies
               WHERE partner_id = r.id ORDER BY version DESC LIMIT 1), '{"version": null, "own": null, "bounds": null}')`,
  campaigns: `to_jsonb(r)`,
  users: `to_jsonb(r) || jsonb_build_object('wallets', ARRAY(SELECT address FROM wallets w WHERE w.user_id = r.id ORDER BY w.position))`,
  api_keys: `to_jsonb(r) - CASE WHEN jsonb_typeof(audited -> 'revoked_at') = 'null' THEN 'revoked_at' ELSE '' END`,
  settlements: `jsonb_build_object('resolution', r.resolution, 'note', r.note, 'voided_tx_hash', r.voided_tx_hash)`,
  positions: `(SELECT jsonb_build_object('user_id', r.user_id, 'asset', r.asset, 'amount', sum(opening.amount) / 1000000, 'tx_hash',
                CASE WHEN lower(audited ->> 'tx_hash') = min(opening.tx_hash) THEN audited ->> 'tx_hash' ELSE min(opening.tx_hash) END)
               FROM positions p CROSS JOIN LATERAL ${OPENING} WHERE p.id = r.id OR p.deposit_id = r.deposit_id)`,
  move_orders: `jsonb_build_object('redeemed_tx_hash', r.redeemed_tx_hash, 'redeemed_amount', r.redeemed_amount / 1000000,
                  'settled_tx_hash', r.settled_tx_hash, 'settled_amount', r.settled_amount / 1000000,
                  'redeemed_resolution', ${resolutionOf('redeemed')}, 'settled_resolution', ${resolutionOf('settled')})
                || ${reportedTransactions('r.id')}`,
  invoices: endOfInvoice('r.id'),
  withdrawals: `jsonb_build_object('tx_hash', r.tx_hash, 'amount', trim_scale(r.amount / 1000000), 'cost', trim_scale(r.cost / 1000000))`,
} as const;
type Table = keyof typeof FIELDS;

/** Names of what is compared in tables that are compared in part. */
const NAMES: Partial<Record<Table, string>> = {
  api_keys: 'api keys',
  settlements: 'resolutions of settlements',
  positions: 'deposits that were asked for',
  move_orders: 'reports of moves',
  invoices: 'settled invoices',
  withdrawals: 'withdrawals that were asked for and reported',
};

/**
 * The next $2 records of a table after id $1, with the fields that differ from their newest audited change; null: no entry has the record. An entry
 * that is not linked yet is newer than all others.
 */
const pageOf = (table: Table) =>
  statement(
    `audit.page_of_${table}`,
    {
      values: [text(), rowCount()],
      row: { id: text(), differ: orNull(jsonb<Record<string, [unknown, unknown]>>()) },
    },
    `SELECT r.id, CASE WHEN audited IS NOT NULL THEN (
              SELECT coalesce(jsonb_object_agg(field.key, jsonb_build_array(now.fields -> field.key, field.value)), '{}')
                FROM jsonb_each(audited) AS field
               WHERE now.fields ? field.key AND field.value IS DISTINCT FROM now.fields -> field.key) END AS differ
       FROM (SELECT * FROM ${table} WHERE id > $1 ORDER BY id LIMIT $2) AS r
      CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(field.key, field.value ORDER BY coalesce(l.number, 9223372036854775807), e.id) AS audited
          FROM audit_entries e LEFT JOIN audit_links l ON l.entry_id = e.id
         CROSS JOIN LATERAL jsonb_each(e.after -> r.id) AS field
         WHERE e.subjects @> ARRAY[r.id] AND jsonb_typeof(e.after -> r.id) = 'object'${
           table === 'positions' ? ` AND e.operation = 'createPosition'` : ''
         }) AS entries
      CROSS JOIN LATERAL (SELECT ${FIELDS[table]} AS fields) AS now
      ORDER BY r.id`,
  );

const PAGES = (Object.keys(FIELDS) as Table[]).map((table) => ({ table, page: pageOf(table) }));

/** Tables whose records are never deleted without an audit entry, by the prefix of their ids. */
const LASTING = {
  ptn: 'partners',
  cmp: 'campaigns',
  usr: 'users',
  key: 'api_keys',
  pos: 'positions',
  set: 'settlements',
  mov: 'move_orders',
  wdr: 'withdrawals',
  inv: 'invoices',
};

/**
 * The next $2 entries after $1, with the ids of their missing records that neither an entry nor a reset removed. A reset may carry an earlier time
 * than a change it waited for, hence the 10 minutes.
 */
const PAGE_OF_SUBJECTS = statement(
  'audit.page_of_subjects',
  {
    values: [text(), rowCount()],
    row: { id: text(), lost: json<string[]>() },
  },
  `SELECT e.id, (
     SELECT coalesce(json_agg(subject), '[]') FROM unnest(e.subjects) AS subject
      WHERE CASE split_part(subject, '_', 1)
            ${Object.entries(LASTING)
              .map(
                ([prefix, table]) =>
                  `WHEN '${prefix}' THEN NOT EXISTS (SELECT FROM ${table} WHERE id = subject)`,
              )
              .join(' ')} ELSE false END
        AND NOT EXISTS (SELECT FROM audit_entries r WHERE r.subjects @> ARRAY[subject] AND r.before ? subject AND (r.after ? subject) IS NOT TRUE)
        AND NOT EXISTS (SELECT FROM audit_entries r WHERE r.operation = 'resetSimulation' AND r.partner_id = e.partner_id AND r.at >= e.at - interval '10 minutes')) AS lost
     FROM (SELECT * FROM audit_entries WHERE id > $1 ORDER BY id LIMIT $2) AS e ORDER BY e.id`,
);

/** Up to $1 present terms that differ from the newest stored version; the last row stands for `more` others. */
const FIND_TERM_DIFFERENCES = statement(
  'audit.find_term_differences',
  { values: [rowCount()], row: { subject: text(), problem: text(), more: integer() } },
  `SELECT subject, format('its terms are %s, the newest that were kept %s', is_now, kept) AS problem,
          (CASE WHEN row_number() OVER (ORDER BY subject) = $1 THEN count(*) OVER () - $1 ELSE 0 END)::int AS more
     FROM (SELECT 'partners ' || p.id AS subject, concat_ws(' ', p.performance_fee_bps, p.revenue_share_bps) AS is_now,
                  (SELECT concat_ws(' ', performance_fee_bps, revenue_share_bps) FROM partner_terms WHERE partner_id = p.id ORDER BY from_at DESC LIMIT 1) AS kept
             FROM partners p WHERE p.id <> '${DEPLOYMENT}'
            UNION ALL
           SELECT 'campaigns ' || c.id, concat_ws(' ', c.status, c.multiplier_hundredths, c.starts_at, c.ends_at),
                  (SELECT concat_ws(' ', status, multiplier_hundredths, starts_at, ends_at) FROM campaign_terms WHERE campaign_id = c.id ORDER BY from_at DESC LIMIT 1)
             FROM campaigns c) AS terms
    WHERE is_now IS DISTINCT FROM kept
    ORDER BY subject LIMIT $1`,
);

/** The next $3 versions of policies. */
const PAGE_OF_POLICIES = statement(
  'audit.page_of_policies',
  {
    values: [text(), integer(), rowCount()],
    row: { partnerId: text(), version: integer(), inForce: jsonb<RulesInForce>(), digest: text() },
  },
  `SELECT partner_id AS "partnerId", version, in_force AS "inForce", digest
     FROM partner_policies WHERE (partner_id, version) > ($1, $2) ORDER BY partner_id, version LIMIT $3`,
);

/** Compares administrative records with the audit log, whose chain shows that it was not changed. */
@Injectable()
export class AuditedRecords {
  constructor(private readonly store: Store) {}

  /** To be called in a snapshot. @returns numbers of compared records, and of records without an entry */
  async verify(
    differs: (subject: string, problem: string, count?: number) => void,
  ): Promise<Record<string, number>> {
    const compared: Record<string, number> = {};
    for (const { table, page } of PAGES) {
      let [recorded, unrecorded] = [0, 0];
      for (let after: string | null = ''; after !== null;) {
        const rows: RowFrom<typeof page>[] = await this.store.query(page, [after, PAGE]);
        for (const { id, differ } of rows) {
          if (differ === null) unrecorded++;
          else recorded++;
          for (const [name, [is, should]] of Object.entries(differ ?? {}))
            differs(
              `${table} ${id}`,
              `${name} is ${JSON.stringify(is)}, but according to the audit log it is ${JSON.stringify(should)}`,
            );
        }
        after = rows.length < PAGE ? null : rows.at(-1)!.id;
      }
      const name = NAMES[table] ?? table;
      compared[name] = recorded;
      compared[`${name} not compared: no entry of the audit log has them`] = unrecorded;
    }
    for (const { subject, problem, more } of await this.store.query(FIND_TERM_DIFFERENCES, [PAGE]))
      differs(subject, problem, 1 + more);
    await this.verifySubjects(differs);
    compared['policy versions'] = await this.verifyPolicies(differs);
    return compared;
  }

  private async verifySubjects(differs: (subject: string, problem: string) => void): Promise<void> {
    for (let after: string | null = ''; after !== null;) {
      const rows: RowFrom<typeof PAGE_OF_SUBJECTS>[] = await this.store.query(PAGE_OF_SUBJECTS, [
        after,
        PAGE,
      ]);
      for (const { id, lost } of rows)
        for (const subject of lost)
          differs(subject, `is not there, but according to ${id} of the audit log it was`);
      after = rows.length < PAGE ? null : rows.at(-1)!.id;
    }
  }

  /** The oldest versions may have been pruned, but there must be no gap. */
  private async verifyPolicies(differs: (subject: string, problem: string) => void): Promise<number> {
    let count = 0;
    for (
      let last: { partnerId: string; version: number } | null = { partnerId: '', version: 0 };
      last !== null;
    ) {
      const rows: RowFrom<typeof PAGE_OF_POLICIES>[] = await this.store.query(PAGE_OF_POLICIES, [
        ...([last.partnerId, last.version, PAGE] as const),
      ]);
      for (const row of rows) {
        const subject = `partner_policies ${row.partnerId} ${row.version}`;
        if (last.partnerId === row.partnerId && row.version !== last.version + 1)
          differs(subject, `follows ${last.version}: versions between are not there`);
        if (digestOf(row.inForce) !== row.digest) differs(subject, 'is not what its digest was made of');
        last = row;
        count++;
      }
      if (rows.length < PAGE) last = null;
    }
    return count;
  }
}
