import { A, B, C } from '../support/moves.js';

/** Tables of a change, in SQL in which `{name}` stands for an id of the history, and the difference by which it is found, as a pattern. */
export interface Tampering {
  kind: string;
  tables: string;
  sql: string;
  found: string;
}

/** Changes of one table: each kind, what is set or the whole statement, and what is found. */
const changes = (
  tables: string,
  statement: (change: string) => string,
  rows: readonly (readonly [kind: string, change: string, found: string])[],
): Tampering[] => rows.map(([kind, change, found]) => ({ kind, tables, sql: statement(change), found }));
/** Rows of a table, by a condition. */
const updates = (table: string, where: string) => (set: string) =>
  `UPDATE ${table} SET ${set} WHERE ${where}`;
const whole = (sql: string): string => sql;

const MOVED = updates('positions', 'id = {moved}');
const ACCRUAL = updates('ledger_entries', 'id = {accrual}');
const TWO = `user_id = {user} AND revenue_place IN (1, 2)`;
const HOUR = updates('snapshots', `vault_id = '${A}' AND hour = {hour}`);
const DECISION = updates('decisions', 'id = {decision}');
const record = (path: string, value: string): string =>
  `record = jsonb_set(record::jsonb, '{${path}}', '${value}')::json`;
const ORDER = updates('move_orders', 'decision_id = {decision}');
const CLOSING = updates('daily_closings', 'day = {day}');
const CLOSED = updates('closed_books', 'day = {day}');
const SETTLEMENT = updates('settlements', 'id = {settlement}');
const REPORT = updates(
  'report_checks',
  `step = 'redeemed' AND order_id = (SELECT id FROM move_orders WHERE decision_id = {decision})`,
);
const CHECKED = `status = 'confirmed', block = 7, checked_at = now(), chain = 'ethereum', due_at = NULL`;
const TERMS = 'performance_fee_bps = 900';
/** A copy of the accrual, booked in its millisecond. */
const copy = (more: string): string =>
  `INSERT INTO ledger_entries SELECT (jsonb_populate_record(e, jsonb_build_object('id', booked_id('evt_0000000000zzzzzzzzzzzzzzzz', e.recorded_at)${more}))).* FROM ledger_entries e WHERE id = {accrual}`;
const AS_WITHDRAWAL = `'type', 'withdrawal', 'revenue_place', null, 'fee', 0, 'partner_revenue', 0, 'carried_loss', 0, 'fee_bps', null, 'share_bps', null`;
const OTHER_HASH = `0x${'ab'.repeat(32)}`;
/** Tables with rows of a partner, those that others refer to last, and which rows. */
const OF_PARTNER: Record<string, string> = {
  move_order_positions: 'position_id IN (SELECT id FROM positions WHERE partner_id = {partner})',
  wallets: 'user_id IN (SELECT id FROM users WHERE partner_id = {partner})',
  campaign_terms: 'campaign_id IN (SELECT id FROM campaigns WHERE partner_id = {partner})',
  ...Object.fromEntries(
    `ledger_entries settlements report_checks move_orders decisions positions revenue_accounts book_shares book_totals book_points book_revenue book_users daily_closings
     closed_books ledger_heads users campaigns partner_terms partner_policies api_keys`
      .split(/\s+/)
      .map((table) => [table, 'partner_id = {partner}']),
  ),
  partners: 'id = {partner}',
};
const HOLDINGS_WITHOUT_PARTNER = `UPDATE vault_shares v SET shares = v.shares - coalesce((SELECT sum(b.shares) FROM book_shares b
  WHERE b.book = 'routed' AND b.vault_id = v.vault_id AND b.slot = v.slot AND b.partner_id = {partner}), 0)`;

/** Found by a full verification, although all triggers were disabled. */
export const FOUND: readonly Tampering[] = [
  ...changes('positions', MOVED, [
    ['shares of a position', 'shares = shares + 1', '^{moved}: shares is'],
    ['principal of a position', 'deposited = deposited + 5', '^{moved}: deposited is'],
    ['settled uplift of a position', 'settled_lending = settled_lending + 1', '^{moved}: settledLending is'],
    ['costs of a position', 'costs = costs - 1', '^{moved}: costs is'],
    [
      'the lending baseline of a position',
      'lending_shares = lending_shares - 9',
      '^{moved}: lendingShares is',
    ],
    ['the hold baseline of a position', 'hold_shares = hold_shares - 9', '^{moved}: holdShares is'],
    ['points of a position', 'campaign_moment = campaign_moment - 7', '^{moved}: campaignMoment is'],
    ['the campaign of a position', 'campaign_id = NULL', '^{moved}: campaignMoment is'],
    ['the opening of a position', "opened_at = opened_at - interval '1 day'", '^{moved}: openedAt is'],
    [
      'the status of a position',
      "status = 'pending', active_at = NULL, origin_vault_id = NULL",
      '^{moved}: status is',
    ],
    ['the vault of a position', `vault_id = '${C}'`, '^{moved}: vaultId is'],
    ['the user of a position', 'user_id = {other}', '^{moved}: userId is'],
    ['the partner of a position', 'partner_id = {stranger}', '^{moved}: partnerId is'],
    ['the asset of a position', "asset = 'USDT0'", '^{moved}: asset is'],
    [
      'the lending vault of a position',
      `lending_vault_id = '${C}'`,
      '^{moved}: entry .*: index of the lending baseline is',
    ],
  ]),
  ...changes('positions', whole, [
    [
      'a deleted position',
      'DELETE FROM positions WHERE id = {moved}',
      '^entry evt_.*: is of {moved}, which is not there',
    ],
  ]),
  ...changes(`vault_shares ${Object.keys(OF_PARTNER).join(' ')}`, whole, [
    [
      'a partner removed with all that is of it',
      [
        HOLDINGS_WITHOUT_PARTNER,
        ...Object.entries(OF_PARTNER).map(([table, of]) => `DELETE FROM ${table} WHERE ${of}`),
      ].join('; '),
      '^{moved}: is not there, but according to aud_.* of the audit log it was$',
    ],
  ]),
  ...changes('positions ledger_entries revenue_accounts', whole, [
    [
      'the user of a position and all that is of it',
      `DELETE FROM revenue_accounts WHERE user_id = {other}; ${[
        'positions',
        'ledger_entries',
        'revenue_accounts',
      ]
        .map((table) => `UPDATE ${table} SET user_id = {other} WHERE user_id = {user}`)
        .join('; ')}`,
      '^positions {moved}: user_id is "{other}", but according to the audit log it is "{user}"',
    ],
  ]),
  ...changes('ledger_entries settlements', whole, [
    [
      'the transfer of an entry and of its settlement',
      `UPDATE ledger_entries SET tx_hash = '${OTHER_HASH}' WHERE id = {deposit}; UPDATE settlements SET tx_hash = '${OTHER_HASH}' WHERE id = {settlement}`,
      '^positions {moved}: tx_hash is "0xabab.*", but according to the audit log it is "0x',
    ],
  ]),
  ...changes('book_shares', whole, [
    [
      'the hold baseline of the books',
      "UPDATE book_shares SET shares = shares + 1 WHERE book = 'hold'",
      '^book_shares .* hold .*: shares is',
    ],
    [
      'the lending baseline of the books',
      "DELETE FROM book_shares WHERE book = 'lending'",
      '^book_shares .* lending .*: shares is 0',
    ],
  ]),
  ...changes('book_totals', whole, [
    [
      'sums of the books',
      'UPDATE book_totals SET principal = principal + 1',
      '^book_totals .*: principal is',
    ],
  ]),
  ...changes('book_points', whole, [
    [
      'points of the books',
      'UPDATE book_points SET plain_moment = plain_moment + 1',
      '^book_points .*: plainMoment is',
    ],
  ]),
  ...changes('book_revenue', whole, [
    ['revenue of the books', 'UPDATE book_revenue SET fee = fee + 1', '^book_revenue .*: fee is'],
  ]),
  ...changes('vault_shares', whole, [
    ['holdings in a vault', 'UPDATE vault_shares SET shares = shares + 1', '^vault_shares .*: shares is'],
  ]),
  ...changes('book_users', whole, [
    ['the number of users', 'UPDATE book_users SET users = users + 1', '^book_users .*: users is'],
  ]),
  ...changes('revenue_accounts', updates('revenue_accounts', "sums <> '[]'"), [
    ['the carried loss of a user', 'carried_loss = carried_loss + 1', '^revenue_accounts .*: carriedLoss is'],
    ['sums of a user at terms', `sums = jsonb_set(sums, '{0,base}', '"7"')`, '^revenue_accounts .*: sums is'],
    ['unreadable sums of a user', `sums = '[{"base": "x"}]'`, '^revenue_accounts .*: cannot be read'],
  ]),
  ...changes('ledger_entries', whole, [
    ['an inserted accrual', copy(''), '^{moved}: entry evt_.*zzz: accrual is'],
    [
      'an inserted withdrawal',
      copy(`, ${AS_WITHDRAWAL}, 'lending_index', e.share_index, 'hold_index', e.share_index`),
      '^{moved}: withdrawn is',
    ],
    ['a deleted accrual', 'DELETE FROM ledger_entries WHERE id = {accrual}', '^{moved}: accrued is'],
    [
      'a deleted deposit',
      'DELETE FROM ledger_entries WHERE id = {deposit}',
      '^{moved}: is opened by no entry',
    ],
    [
      'the amount of a deposit',
      'UPDATE ledger_entries SET amount = amount + 5000000 WHERE id = {deposit}',
      '^positions {moved}: amount is 60005, but according to the audit log it is 60000$',
    ],
    [
      'the order of two entries',
      `UPDATE ledger_entries SET revenue_place = 3 - revenue_place WHERE ${TWO}`,
      'is settled after one of a later',
    ],
    [
      'fees moved to another entry',
      `UPDATE ledger_entries SET fee = fee + 3 - 2 * revenue_place WHERE ${TWO}`,
      '^revenue_accounts .*: entry evt_.*: fee is',
    ],
    [
      'the transfer of an entry',
      `UPDATE ledger_entries SET tx_hash = '${OTHER_HASH}' WHERE id = {deposit}`,
      '^{moved}: entry {deposit} is of the transfer 0xabab',
    ],
    [
      'the decision of an entry',
      'UPDATE ledger_entries SET decision_id = (SELECT decision_id FROM ledger_entries WHERE id = {deposit}) WHERE id = {rebalance}',
      '^{moved}: entry {rebalance} is a rebalance from .* dec_',
    ],
    [
      'the cost of an entry',
      'UPDATE ledger_entries SET cost = cost + 1 WHERE id = {rebalance}',
      '^{moved}: entry {rebalance}: amount and cost is',
    ],
    [
      'indexes that fit together',
      'UPDATE ledger_entries SET hold_index = hold_index + 1, share_index = share_index + 1 WHERE id = {deposit}',
      '^{moved}: entry {deposit}: index is',
    ],
  ]),
  ...changes('ledger_entries', ACCRUAL, [
    ['the value date of an entry', "at = at - interval '7 minutes'", '^{moved}: entry {accrual}: index is'],
    [
      'the booking of an entry',
      "recorded_at = recorded_at + interval '1 hour'",
      '^{moved}: entry {accrual} was booked at a different time',
    ],
    [
      'the type of an entry',
      "type = 'withdrawal', fee_bps = NULL, share_bps = NULL, revenue_place = NULL, fee = 0, partner_revenue = 0, carried_loss = 0, lending_index = share_index, hold_index = share_index",
      '^{moved}: accrued is',
    ],
    ['the amount of an entry', 'amount = amount + 1', '^{moved}: entry {accrual}: accrual is'],
    ['the fee of an entry', 'fee = fee + 1', '^revenue_accounts .*: entry {accrual}: fee is'],
    ['the APY of an entry', 'apy = 0.9', '^{moved}: entry {accrual}: apy is 0.9'],
    ['the partner of an entry', 'partner_id = {stranger}', '^{moved}: entry {accrual} is of {stranger}'],
    ['terms of an entry', 'fee_bps = 1', '^revenue_accounts .*: entry {accrual} is settled at 1/'],
  ]),
  ...changes('daily_closings closed_books', whole, [
    [
      'a deleted closing',
      'DELETE FROM daily_closings WHERE day = {day}; DELETE FROM closed_books WHERE day = {day}',
      '^closed_books {partner} .*: is not there$',
    ],
    [
      'a false closing',
      "INSERT INTO closed_books SELECT partner_id, day + interval '30 days', books FROM closed_books WHERE day = {day}",
      '^closed_books .*: belongs to a day that was not closed$',
    ],
  ]),
  ...changes('daily_closings closed_books statements', whole, [
    [
      'all closings and their days',
      'DELETE FROM daily_closings; DELETE FROM closed_books; DELETE FROM statements',
      '^ledger_heads {partner}: is closed until',
    ],
  ]),
  ...changes('daily_closings', whole, [
    [
      'a deleted closing of an asset',
      'DELETE FROM daily_closings WHERE day = {day}',
      '^daily_closings {partner} USDC .*: is not there$',
    ],
  ]),
  ...changes('daily_closings', CLOSING, [
    ['the yield of a closing', 'accrued = accrued + 1', '^daily_closings .*: says'],
    [
      'the lending baseline of a closing',
      'lending_value = lending_value - 1',
      '^daily_closings .*: lendingValue is',
    ],
    ['the hold baseline of a closing', 'hold_value = hold_value - 1', '^daily_closings .*: holdValue is'],
    ['the points of a closing', 'grains = grains + 1', '^daily_closings .*: grains is'],
  ]),
  ...changes('closed_books', whole, [
    [
      'deleted closed books',
      'DELETE FROM closed_books WHERE day = {day}',
      '^closed_books {partner} .*: does not exist, but its closings do$',
    ],
  ]),
  ...changes('closed_books', CLOSED, [
    [
      'the lending baseline of closed books',
      `books = jsonb_set(books, '{shares}', (SELECT jsonb_agg(s || CASE s ->> 'book' WHEN 'lending' THEN '{"shares": "5"}' ELSE '{}' END::jsonb) FROM jsonb_array_elements(books -> 'shares') AS s))`,
      '^closed_books .*: shares USDC lending .*: shares is 5, but according to',
    ],
    [
      'the points of closed books',
      `books = jsonb_set(books, '{points,0,campaignMoment}', '"5"')`,
      '^closed_books .*: points USDC .*: campaignMoment is 5',
    ],
    [
      'an index of closed books',
      `books = jsonb_set(books, '{quotes,${B},index}', '"5"')`,
      `^closed_books .*: index of ${B} is 5`,
    ],
    ['unreadable closed books', "books = '{}'", '^closed_books .*: cannot be read'],
  ]),
  ...changes('snapshots', HOUR, [
    ['an index of the past', 'share_index = share_index + 1', `^snapshots base ${A} .*: its index is`],
    ['the growth of an hour', 'factor = factor + 1000', `^snapshots base ${A} .*: it grows by`],
    ['a yield of the past', 'apy = apy * 2', `^snapshots base ${A} .*: it grows by`],
  ]),
  ...changes('snapshots', whole, [
    [
      'a deleted hour',
      `DELETE FROM snapshots WHERE vault_id = '${A}' AND hour = {hour}`,
      `^snapshots base ${A} .*: its index is`,
    ],
    [
      'the newest hour',
      'DELETE FROM snapshots s USING markets m WHERE s.market_id = m.id AND s.hour = m.ticked_hour',
      '^vault_states base .*: its index and growth are',
    ],
  ]),
  ...changes('vault_states', whole, [
    [
      'the newest index',
      'UPDATE vault_states SET share_index = share_index + 1',
      '^vault_states base .*: its index and growth are',
    ],
  ]),
  ...changes('snapshots vault_states', whole, [
    [
      'all indexes since an hour',
      `UPDATE snapshots SET share_index = share_index * 2 WHERE vault_id = '${A}' AND hour >= {hour}; UPDATE vault_states SET share_index = share_index * 2 WHERE vault_id = '${A}'`,
      `^snapshots base ${A} .*: its index is`,
    ],
  ]),
  ...changes('decisions', DECISION, [
    [
      'the target of a decision',
      `to_vault_id = '${C}'`,
      `^{decision}: toVaultId is ${C}, but according to its record it is`,
    ],
    [
      'the target of a decision and its record',
      `to_vault_id = '${C}', ${record('toVaultId', `"${C}"`)}`,
      `^{decision}: is to rebalance to ${C}`,
    ],
    ['inputs of a decision', record('inputs,candidates,apy', '0.5'), '^{decision}: is to rebalance'],
    [
      'alternatives of a decision',
      record('alternatives,columns,rate', '0.5'),
      '^{decision}: is to rebalance',
    ],
    [
      'the reason of a decision',
      record('reason', '"evicted"'),
      '^{decision}: is to rebalance to .* \\(evicted\\)',
    ],
    ['an unreadable decision', "record = '{}'", '^{decision}: cannot be decided again'],
  ]),
  ...changes('decisions', DECISION, [
    [
      'the market of a decision',
      'decision_market_id = (SELECT max(id) FROM decision_markets WHERE id <> decision_market_id)',
      '^{decision}: ',
    ],
  ]),
  ...changes('decision_markets', whole, [
    [
      'a market that decisions refer to',
      `UPDATE decision_markets SET record = jsonb_set(record::jsonb, '{candidates,currentRiskAdjustedApy}', '0.5')::text WHERE id = (SELECT decision_market_id FROM decisions WHERE id = {decision})`,
      '^{decision}: it belongs to a market other than',
    ],
    [
      'a deleted market of decisions',
      'DELETE FROM decision_markets WHERE id = (SELECT decision_market_id FROM decisions WHERE id = {decision})',
      '^{decision}: cannot be decided again: The market .* does not exist',
    ],
  ]),
  ...changes('decisions', whole, [
    [
      'a deleted decision',
      'DELETE FROM decisions WHERE id = {decision}',
      '^{moved}: entry .* is a rebalance by the decision {decision}, which does not exist',
    ],
  ]),
  ...changes('move_orders', whole, [
    [
      'the outcome of a move',
      'UPDATE move_orders SET realised = coalesce(realised, 0) + 1 WHERE realised_hour IS NOT NULL',
      '^dec_.*: its outcome is',
    ],
  ]),
  ...changes('move_orders', ORDER, [
    [
      'the partner of an order',
      "partner_id = 'ptn_00000000000000000000000000'",
      '^mov_.*: is of another partner',
    ],
    ['what an order redeemed', 'redeemed_amount = redeemed_amount + 1', '^mov_.*: what was redeemed is'],
    ['the value of an order', 'settled_value = settled_value - 1', '^mov_.*: what was settled is'],
    [
      'the state of an order',
      "status = 'requested', ended_at = NULL",
      '^mov_.*: is requested, but was settled',
    ],
    ['the target of an order', `to_vault_id = '${C}'`, `^mov_.*: is from .* to ${C}, but its decision`],
    ['the time of a report', "settled_at = settled_at + interval '1 ms'", '^mov_.*: what was settled is'],
  ]),
  ...changes('move_orders', ORDER, [
    [
      'the transfer of a report',
      `redeemed_tx_hash = '${OTHER_HASH}'`,
      '^move_orders mov_.*: redeemed_tx_hash is "0xabab.*", but according to the audit log it is "0x',
    ],
  ]),
  ...changes('move_orders move_order_positions', whole, [
    [
      'a deleted order',
      'DELETE FROM move_order_positions; DELETE FROM move_orders',
      '^mov_.*: is not there, but according to aud_.* of the audit log it was$',
    ],
  ]),
  ...changes('move_orders', whole, [
    ['a batch', "UPDATE move_orders SET batch_id = 'bat_x'", '^mov_.*: is in the batch of'],
  ]),
  ...changes('move_order_positions', whole, [
    [
      'a gain that waits',
      'UPDATE move_order_positions SET waiting = waiting + 1 WHERE waiting > 0',
      '^mov_.*: what waits of its gain is',
    ],
  ]),
  ...changes('withdrawals', updates('withdrawals', 'id = {payout}'), [
    [
      'the amount of a withdrawal',
      'amount = amount + 1',
      '^{payout}: its amount is 1000000001, but according to its parts',
    ],
    [
      'the cost of a withdrawal',
      'cost = cost + 1',
      '^{payout}: what was paid is 998999999, but according to the ledger',
    ],
    [
      'the transfer of a payment',
      `tx_hash = '${OTHER_HASH}'`,
      '^withdrawals {payout}: tx_hash is "0xabab.*", but according to the audit log it is "0x',
    ],
    [
      'the user of a withdrawal',
      'user_id = {other}',
      '^{payout}: its number of positions of other users is 1',
    ],
  ]),
  ...changes('withdrawals', updates('withdrawals', 'id = {requested}'), [
    [
      'a withdrawal that is called paid',
      "status = 'paid', paid_at = now(), ended_at = now()",
      '^{requested}: what was paid is 2000000000, but according to the ledger it is 0',
    ],
  ]),
  ...changes('withdrawal_parts', updates('withdrawal_parts', 'withdrawal_id = {requested}'), [
    [
      'a reservation that was dropped',
      'is_reserved = false',
      '^{requested}: its number of reserved parts is 0',
    ],
    [
      'the amount of a part',
      'amount = amount - 1',
      '^{requested}: its amount is 2000000000, but according to its parts',
    ],
  ]),
  ...changes('withdrawals withdrawal_parts', whole, [
    [
      'a deleted withdrawal',
      'DELETE FROM withdrawal_parts; DELETE FROM withdrawals',
      '^wdr_.*: is not there, but according to aud_.* of the audit log it was$',
    ],
    [
      'a cost of no payment',
      'UPDATE withdrawal_parts SET cost = 0; UPDATE withdrawals SET cost = 0, amount = 999000000 WHERE id = {payout}',
      '^pos_.*: entry {borne} is a cost of 1000000 without decision, of no payment to its user',
    ],
  ]),
  ...changes('settlements', SETTLEMENT, [
    [
      'a settlement set by hand',
      "status = 'confirmed', block = 7",
      '^{settlement}: is confirmed, but was never checked$',
    ],
    [
      'a settlement set by hand with its check',
      CHECKED,
      '^{settlement}: is confirmed, but no amount was found$',
    ],
    [
      'a settlement set by hand whose next check is due',
      `${CHECKED.replace('due_at = NULL', 'due_at = now()')}, found_amount = 5`,
      '^{settlement}: is confirmed, but another check is scheduled$',
    ],
    [
      'a settlement of another amount',
      `${CHECKED}, found_amount = 5`,
      '^{settlement}: is confirmed, but the chain moved 5, where',
    ],
    ['the hash of a settlement', `tx_hash = '${OTHER_HASH}'`, '^transfer 0xabab.*: is recorded with'],
  ]),
  ...changes('report_checks', REPORT, [
    [
      'a report that is confirmed by hand',
      `status = 'confirmed', block = 7, checked_at = now(), found_amount = 5`,
      'its report as redeemed is confirmed, but the chain moved 5, where',
    ],
    [
      'the hash of a report that is looked up',
      `tx_hash = '${OTHER_HASH}'`,
      'by 0xabab.*, where .* was reported by 0x',
    ],
    [
      'a resolution of a report without an entry',
      `status = 'mismatch', block = 7, checked_at = now(), found_amount = 5, resolution = 'accept', note = 'n', resolved_at = now(), booked = 9`,
      'its resolution booked 9, but according to the ledger 0$',
    ],
  ]),
  ...changes('report_checks', whole, [
    [
      'a transaction that was added to a report',
      `INSERT INTO report_checks SELECT (jsonb_populate_record(c, '{"tx_hash": "${OTHER_HASH}", "place": 2}')).* FROM report_checks c
         WHERE step = 'redeemed' AND order_id = (SELECT id FROM move_orders WHERE decision_id = {decision})`,
      'but is about .* by 0xabab.*, where .* was reported by 0x',
    ],
  ]),
  ...changes('settlements', updates('settlements', 'id = {contradicted}'), [
    [
      'a contradiction that was removed',
      "status = 'unchecked'",
      '^{contradicted}: is unchecked, but was resolved',
    ],
    [
      'a resolution',
      "note = 'otherwise'",
      '^settlements {contradicted}: note is "otherwise", but according to the audit log it is "seen"',
    ],
  ]),
  ...changes('partner_terms', updates('partner_terms', 'partner_id = {partner}'), [
    [
      'a fee of the past',
      TERMS,
      '^revenue_accounts .*: entry .* is settled at 1000/4000, but the terms of its time are 900/4000',
    ],
    [
      'a share of the past',
      'revenue_share_bps = 1',
      '^revenue_accounts .*: entry .* is settled at 1000/4000, but the terms of its time are 1000/1',
    ],
    [
      'the time from which terms hold',
      "from_at = from_at + interval '3 hours'",
      '^{moved}: entry .* spans the change of terms at .*, but yield should have been posted there$',
    ],
  ]),
  ...changes('partner_terms', whole, [
    [
      'deleted terms',
      'DELETE FROM partner_terms',
      '^revenue_accounts .*: entry .* is settled at .*, but the terms of its time are null',
    ],
  ]),
  ...changes('partners', updates('partners', 'id = {partner}'), [
    [
      'present terms',
      TERMS,
      '^partners {partner}: performance_fee_bps is 900, but according to the audit log it is 1000',
    ],
  ]),
  ...changes('campaigns campaign_terms', whole, [
    [
      'a campaign',
      'UPDATE campaigns SET multiplier_hundredths = 900; UPDATE campaign_terms SET multiplier_hundredths = 900',
      '^campaigns cmp_.*: multiplier_hundredths is 900, but according to the audit log it is 150',
    ],
    [
      'a multiplier of the past',
      'UPDATE campaign_terms SET multiplier_hundredths = 900',
      '^{moved}: campaignMoment is',
    ],
  ]),
  ...changes('partner_policies', whole, [
    [
      'a policy',
      "UPDATE partner_policies SET in_force = jsonb_set(in_force, '{paused}', 'true')",
      '^partner_policies {partner} .*: is not what its digest was made of',
    ],
    [
      'a deleted policy',
      'DELETE FROM partner_policies',
      '^partners {partner}: own is null, but according to the audit log it is',
    ],
  ]),
  ...changes('wallets', whole, [
    [
      'a swapped wallet',
      `UPDATE wallets SET address = '0x${'12'.repeat(20)}'`,
      '^users {user}: wallets is \\["0x1212.*"\\], but according to the audit log it is',
    ],
  ]),
  ...changes('users', whole, [
    [
      'an external id',
      "UPDATE users SET external_id = 'other' WHERE id = {user}",
      '^users {user}: external_id is "other", but according to the audit log it is',
    ],
  ]),
  ...changes('api_keys', whole, [
    [
      'scopes of a key',
      "UPDATE api_keys SET scopes = '{write}' WHERE scopes = '{read}'",
      '^api_keys key_.*: scopes is \\["write"\\], but according to the audit log it is \\["read"\\]',
    ],
    [
      'a revocation',
      'UPDATE api_keys SET revoked_at = NULL WHERE id = {revoked}',
      '^api_keys {revoked}: revoked_at is null, but according to the audit log it is',
    ],
    [
      'a deleted key',
      'DELETE FROM api_keys WHERE id = {revoked}',
      '^{revoked}: is not there, but according to aud_',
    ],
  ]),
  ...changes('audit_entries audit_links', whole, [
    [
      'an audited change',
      "UPDATE audit_entries SET operation = 'nothing' WHERE id = {audited}",
      '^{audited}: is not what was recorded',
    ],
    [
      'the tail of the audit log',
      'DELETE FROM audit_entries WHERE id IN (SELECT entry_id FROM audit_links ORDER BY number DESC LIMIT 3); DELETE FROM audit_links WHERE number > (SELECT last - 3 FROM audit_chain)',
      '^audit log .*: is recorded as the end of the chain, but its links end at',
    ],
    [
      'the middle of the audit log',
      'DELETE FROM audit_links WHERE entry_id = {audited}; DELETE FROM audit_entries WHERE id = {audited}',
      '^audit log .*: is not there; the next one is',
    ],
    [
      'an entry beside the chain',
      `INSERT INTO audit_entries SELECT (jsonb_populate_record(e, '{"id": "aud_beside"}')).* FROM audit_entries e WHERE id = {audited}`,
      '^aud_beside: is in the audit log, but not in its chain$',
    ],
  ]),
  ...changes('audit_chain', whole, [
    [
      'the head of the audit chain',
      "UPDATE audit_chain SET last_hash = '\\x00'",
      '^audit log .*: is recorded as the end of the chain, but its links end with another hash$',
    ],
  ]),
  ...changes('ledger_heads', whole, [
    [
      'the closed time of a ledger',
      "UPDATE ledger_heads SET closed_until = '-infinity'",
      '^ledger_heads {partner}: is closed until',
    ],
  ]),
];

/** Not found: docs/security.md says why. */
export const NOT_FOUND: readonly Tampering[] = [
  ...changes('users book_users', whole, [
    [
      'an inserted user',
      `INSERT INTO users SELECT (jsonb_populate_record(u, '{"id": "usr_beside", "external_id": "beside"}')).* FROM users u WHERE id = {user}; UPDATE book_users SET users = users + 1 WHERE ctid = (SELECT min(ctid) FROM book_users WHERE partner_id = {partner})`,
      '',
    ],
  ]),
  ...changes('snapshots', whole, [
    ['the size of a vault in the past', 'UPDATE snapshots SET tvl = tvl + 1, assets = assets + 1', ''],
  ]),
  ...changes('blended_points', whole, [
    ['the yield history', 'UPDATE blended_points SET apy = apy + 0.01', ''],
  ]),
  ...changes('signals', whole, [['a signal', 'UPDATE signals SET expected_apy = 0.5', '']]),
  ...changes('decisions', whole, [
    ['a deleted decision to hold', "DELETE FROM decisions WHERE kind = 'hold'", ''],
  ]),
  ...changes('positions', MOVED, [
    ['the time up to which yield is posted', "accrued_at = accrued_at + interval '1 minute'", ''],
    ['the name of a split deposit', "deposit_id = 'dep_beside'", ''],
  ]),
  ...changes('closed_books', CLOSED, [
    ['the number of users of closed books', `books = jsonb_set(books, '{users}', '77')`, ''],
    ['an APY of closed books', `books = jsonb_set(books, '{quotes,${B},apy}', '0.9')`, ''],
  ]),
  ...changes('move_orders', ORDER, [
    [
      'the words and the time of an order',
      "note = 'other', requested_at = requested_at - interval '1 minute'",
      '',
    ],
  ]),
  ...changes('decisions', DECISION, [['the time of a decision', "at = at - interval '1 minute'", '']]),
  ...changes('decisions', DECISION, [['words of a decision', record('rationale', '"other words"'), '']]),
  ...changes('events', whole, [['an event', "UPDATE events SET envelope = '{}'", '']]),
  ...changes('deliveries', whole, [['a delivery', 'UPDATE deliveries SET attempts = 0', '']]),
  ...changes('idempotency_claims', whole, [['an idempotency claim', 'DELETE FROM idempotency_claims', '']]),
  ...changes('settlements', SETTLEMENT, [
    [
      'a settlement set with all that a check leaves',
      `${CHECKED}, reason = NULL, found_amount = 60000000000`,
      '',
    ],
  ]),
];
