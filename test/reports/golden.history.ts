/**
 * Forty days of one partner, its three end-users and five vaults: all that is given. What must come of it stands in `golden.table.ts` and
 * `golden.figures.ts`, with the closed formulas to check it by hand.
 *
 * A moment is hours since the beginning: `at(13, 21)` is 21:00 of day 13, the first day being day 0. A market's hour begins at the full hour;
 * everybody acts at half past, when an index has grown by half of what the hour brings.
 */
export const BEGINNING = new Date('2026-03-01T00:00:00.000Z');
export const at = (day: number, hour: number): number => day * 24 + hour;
/** When the reports are read: nine hours after the last statement, so that some yield is pending. */
export const END = at(40, 9.5);

export type VaultName = 'anchor' | 'brook' | 'cedar' | 'delta' | 'ember';
/** The first asset of a deployment is USDC in both contracts, the second another one. */
export type AssetName = 'first' | 'second';
export type UserName = 'Ada' | 'Ben' | 'Cyd';
/** Named after their users. */
export type PositionName = 'A1' | 'A2' | 'B1' | 'B2' | 'C1' | 'C2';
export const POSITIONS = ['A1', 'B1', 'C1', 'A2', 'C2', 'B2'] as const satisfies PositionName[];

interface GoldenVault {
  asset: AssetName;
  lending: boolean;
  riskTier: 'low' | 'medium';
  /** Per cent a year, as it is observed from a moment on: earned from an hour later. */
  yields: readonly { from: number; percent: number }[];
}

/** Of every vault, micro-units. */
export const TVL = 100_000_000_000_000n;

/** What it costs to go into any vault of an asset, and what it costs to leave it, micro-units. */
export const ENTRY_OR_EXIT: Record<AssetName, bigint> = { first: 1_000_000n, second: 250_000n };

export const VAULTS: Record<VaultName, GoldenVault> = {
  anchor: {
    asset: 'first',
    lending: true,
    riskTier: 'low',
    yields: [
      { from: at(0, 0), percent: 4 },
      { from: at(20, 0), percent: 6 },
    ],
  },
  brook: {
    asset: 'first',
    lending: false,
    riskTier: 'low',
    yields: [
      { from: at(0, 0), percent: 3 },
      { from: at(7, 12), percent: 10 },
    ],
  },
  cedar: { asset: 'first', lending: false, riskTier: 'medium', yields: [{ from: at(0, 0), percent: 4 }] },
  delta: {
    asset: 'second',
    lending: true,
    riskTier: 'low',
    yields: [
      { from: at(0, 0), percent: 5 },
      { from: at(20, 0), percent: 2 },
    ],
  },
  ember: {
    asset: 'second',
    lending: false,
    riskTier: 'low',
    yields: [
      { from: at(0, 0), percent: 4.8 },
      { from: at(26, 0), percent: 2.8 },
    ],
  },
};

export type HistoryEvent = { at: number } & (
  | { does: 'deposit'; user: UserName; position: PositionName; asset: AssetName; amount: bigint }
  /** amount null: everything. */
  | { does: 'withdraw'; position: PositionName; amount: bigint | null }
  | { does: 'start campaign' | 'change campaign'; multiplier: number }
  | { does: 'disable campaign' }
  /** Basis points of the fee. */
  | { does: 'share revenue'; bps: number }
);

/** What people do, in order. Amounts in micro-units. */
export const HISTORY: readonly HistoryEvent[] = [
  {
    at: at(1, 6.5),
    does: 'deposit',
    user: 'Ada',
    position: 'A1',
    asset: 'first',
    amount: 10_000_000_000n,
  },
  {
    at: at(3, 12.5),
    does: 'deposit',
    user: 'Ben',
    position: 'B1',
    asset: 'first',
    amount: 6_000_123_456n,
  },
  { at: at(4, 0.5), does: 'start campaign', multiplier: 1.5 },
  {
    at: at(5, 18.5),
    does: 'deposit',
    user: 'Cyd',
    position: 'C1',
    asset: 'second',
    amount: 8_000_000_000n,
  },
  {
    at: at(7, 9.5),
    does: 'deposit',
    user: 'Ada',
    position: 'A2',
    asset: 'first',
    amount: 2_500_500_000n,
  },
  { at: at(12, 15.5), does: 'withdraw', position: 'B1', amount: 1_000_000_000n },
  { at: at(14, 0.5), does: 'change campaign', multiplier: 2 },
  { at: at(16, 11.5), does: 'withdraw', position: 'A1', amount: 4_000_000_000n },
  { at: at(18, 6.5), does: 'share revenue', bps: 5_000 },
  { at: at(22, 11.5), does: 'disable campaign' },
  {
    at: at(28, 12.5),
    does: 'deposit',
    user: 'Cyd',
    position: 'C2',
    asset: 'second',
    amount: 3_000_000_001n,
  },
  { at: at(30, 20.5), does: 'withdraw', position: 'B1', amount: null },
  {
    at: at(33, 3.5),
    does: 'deposit',
    user: 'Ben',
    position: 'B2',
    asset: 'first',
    amount: 500_000_000n,
  },
  { at: at(35, 10.5), does: 'withdraw', position: 'C1', amount: 5_000_000_000n },
  { at: at(37, 17.5), does: 'withdraw', position: 'A2', amount: null },
];

/**
 * Where deposits go: to the best risk-adjusted APY, which of a low-risk vault with a steady yield is 95 % of it. Ada's first came before there were
 * two days of history, and went to the lending vault for that. 3.8 % is the best of the first asset up to day 7, 4.75 % that of the
 * second. On day 28 both vaults of the second have fallen, ember later: 3.99 % is expected of it after risk, and 3.74 % of delta. On day 33 brook has 6.61 %.
 */
export const ROUTES: Record<PositionName, VaultName> = {
  A1: 'anchor',
  B1: 'anchor',
  C1: 'delta',
  A2: 'anchor',
  C2: 'ember',
  B2: 'brook',
};

/**
 * The one move. With brook at 3 % up to noon of day 7 and at 10 % since, 153 and 154 hours bring it to 4.799 and 4.809 % after risk: the latter is the first that
 * is a percentage point above anchor's 3.8 %.
 *
 * Nothing moves from delta to ember, although ember is better from day 20 on: by 0.75 percentage points at most.
 */
export const MOVE = {
  at: at(13, 21),
  from: 'anchor',
  to: 'brook',
  positions: ['A1', 'B1', 'A2'],
} as const satisfies { at: number; from: VaultName; to: VaultName; positions: PositionName[] };

/** The yield observed in an hour, per cent a year. */
export const yieldAt = (vault: VaultName, hour: number): number =>
  VAULTS[vault].yields.findLast(({ from }) => from <= hour)!.percent;
