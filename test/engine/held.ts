import type { Engine } from '../support/engine.js';

/** Position with its values at a moment: micro-units. */
export interface ExpectedHolding {
  id: string;
  status: 'pending' | 'active' | 'closed';
  vaultId: string;
  transitId: string | null;
  shares: bigint;
  lendingShares: bigint;
  holdShares: bigint;
  deposited: bigint;
  withdrawn: bigint;
  costs: bigint;
  settledLending: bigint;
  settledHold: bigint;
  /** By the books: deposits less withdrawals and costs, with the yield posted so far. */
  booked: bigint;
  value: bigint;
  lendingValue: bigint;
  /** In the first vault; before that, in the vault of the funds. */
  holdValue: bigint;
}

const AMOUNTS = [
  ...(['shares', 'lendingShares', 'holdShares', 'deposited', 'withdrawn', 'costs'] as const),
  ...(['settledLending', 'settledHold', 'booked', 'value', 'lendingValue', 'holdValue'] as const),
];

/** Positions of partners $1 at $2, which is not before the newest hour; where their hour is missing, as at its beginning. */
const POSITIONS = `
WITH indexes AS (
  SELECT s.market_id, s.vault_id, s.share_index + floor(s.share_index * s.factor * least(ms, 3600000) / 3.6e24) AS index
    FROM vault_states s JOIN markets m ON m.id = s.market_id
   CROSS JOIN LATERAL (SELECT (extract(epoch FROM $2::timestamptz - m.ticked_hour) * 1000)::numeric(10, 0) AS ms) AS since
)
SELECT p.id, p.status, p.vault_id AS "vaultId", p.transit_id AS "transitId", p.shares, p.lending_shares AS "lendingShares", p.hold_shares AS "holdShares",
       p.deposited, p.withdrawn, p.costs, p.settled_lending AS "settledLending", p.settled_hold AS "settledHold",
       p.deposited - p.withdrawn + p.accrued - p.costs AS booked, div(p.shares * own.index, 1e30) AS value,
       div(p.lending_shares * lending.index, 1e30) AS "lendingValue", div(p.hold_shares * hold.index, 1e30) AS "holdValue"
  FROM positions p
  JOIN indexes own ON own.market_id = p.market_id AND own.vault_id = p.vault_id
  JOIN indexes lending ON lending.market_id = p.market_id AND lending.vault_id = p.lending_vault_id
  JOIN indexes hold ON hold.market_id = p.market_id AND hold.vault_id = coalesce(p.origin_vault_id, p.vault_id)
 WHERE p.partner_id = ANY($1)`;

/** Positions of partners as they are now, by id. */
export async function heldBy(
  engine: Engine,
  partnerIds: readonly string[],
): Promise<Map<string, ExpectedHolding>> {
  const rows = await engine.sql<Record<string, string>>(POSITIONS, [partnerIds, engine.now]);
  return new Map(
    rows.map((row) => {
      const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, BigInt(row[name]!)]));
      return [row['id']!, { ...row, ...amounts } as unknown as ExpectedHolding];
    }),
  );
}

/** Everything of a position but the yield that was posted: it is due at any time. */
export const withoutYield = ({ booked: _, ...held }: ExpectedHolding): Omit<ExpectedHolding, 'booked'> =>
  held;

/** What a report booked on the positions of an order. Micro-units. */
export interface Booking {
  decisionId: string;
  /** Vault of the funds afterwards, and whether they are on their way from there. */
  toVaultId: string;
  goesOn: boolean;
  /** Whether a gain is principal: more was received than a deposit said. */
  isReceived: boolean;
  cost: bigint;
  gain: bigint;
}

const isCash = (vaultId: string): boolean => vaultId.startsWith('vlt_idle_');
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);

/**
 * Compares positions after a report with those before it: each bears its part of cost and gain by value, to the micro-unit, and its baselines stay.
 * @returns a sentence for each difference
 */
export function bookingTroubles(
  before: readonly ExpectedHolding[],
  after: ReadonlyMap<string, ExpectedHolding>,
  { decisionId, toVaultId, goesOn, isReceived, cost, gain }: Booking,
): string[] {
  const found: string[] = [];
  const total = sumOf(before.map(({ value }) => value));
  // What cannot bear its part leaves it to others.
  const isCapped = before.some(({ value }) => value > 0n && (cost * value) / total + 1n > value - 1n);
  const costs: bigint[] = [];
  const gains: bigint[] = [];
  for (const was of before) {
    const is = after.get(was.id)!;
    const same = (what: string, one: unknown, other: unknown): void => {
      if (one !== other)
        found.push(`${was.id}: its ${what} is ${String(one)}, it should be ${String(other)}`);
    };
    same('transit', is.transitId, goesOn && was.value > 0n ? decisionId : null);
    same('withdrawn', is.withdrawn, was.withdrawn);
    if (was.value === 0n) {
      same('vault', is.vaultId, was.vaultId);
      continue;
    }
    const part = is.costs - was.costs;
    const more = is.value - was.value + part;
    const principal = isReceived ? more : 0n;
    costs.push(part);
    gains.push(more);
    same('vault', is.vaultId, toVaultId);
    same('status', is.status, isCash(toVaultId) ? was.status : 'active');
    same('value in the books', is.booked, is.value);
    same('deposit', is.deposited, was.deposited + principal);
    same('lending baseline', is.lendingValue, was.lendingValue + principal);
    same('hold baseline', is.holdValue, was.holdValue + principal);
    same('settled uplift', is.settledLending + is.settledHold, was.settledLending + was.settledHold);
    if (principal === 0n) same('lending shares', is.lendingShares, was.lendingShares);
    if (principal === 0n && is.status === was.status) same('hold shares', is.holdShares, was.holdShares);
    const isPart = (one: bigint, whole: bigint): boolean => {
      const rest = one * total - whole * was.value;
      return one >= 0n && rest < total && -rest < total;
    };
    if (!isCapped && !isPart(part, cost)) found.push(`${was.id}: bears ${part} of a cost of ${cost}`);
    if (!isPart(more, gain)) found.push(`${was.id}: has ${more} of a gain of ${gain}`);
  }
  if (sumOf(costs) !== cost) found.push(`positions bear ${sumOf(costs)} of a cost of ${cost}`);
  if (sumOf(gains) !== gain) found.push(`positions have ${sumOf(gains)} of a gain of ${gain}`);
  return found;
}
