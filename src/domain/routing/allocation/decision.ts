import type { Policy } from '../../tenants/policies/policy.js';
import type { Gate, GateName } from './gate.js';
import type { RoutingConstants } from './routing-constants.js';
import type { RiskTier } from '../../kernel/catalogue/catalogue.js';

/** Micro-units as decimal digits, so that a decision survives a JSON round trip. */
export type Micro = string;

/** Vault of the asset at the time of the decision. */
export interface Candidate {
  vaultId: string;
  active: boolean;
  lendingBaseline: boolean;
  /** Absent in records from before policies existed. */
  riskTier?: RiskTier;
  venue?: string;
  apy: number | null;
  /** APY, a fraction; null: insufficient history. No gate uses it. */
  expectedApy: number | null;
  /** `expectedApy` after the risk adjustment, a fraction; null: insufficient history. */
  riskAdjustedApy: number | null;
  /** `apy` after the risk adjustment, likewise. No gate uses it; absent in older records. */
  currentRiskAdjustedApy?: number | null;
  /** Forecast over the horizon from the last observation, without the risk adjustment, a fraction; null: insufficient history. */
  promisedApy: number | null;
  /** Risk-adjusted long-run average APY, a fraction; null: insufficient history. */
  lastingApy: number | null;
  /** Risk-adjusted mean APY of 72 hours, a fraction; null: insufficient history. Absent in older records. */
  steadyApy?: number | null;
  /** Like `promisedApy`, over the longer horizon. */
  promisedLastingApy: number | null;
  /** Like `promisedApy` and `promisedLastingApy`, from the mean yield of 6 hours instead of the newest one. */
  promisedShortApy: number | null;
  promisedShortLastingApy: number | null;
  /** As the feed reports it; null: unknown. */
  tvl: Micro | null;
  /** All deposits, and the part of them that can be withdrawn now; null: unknown. */
  assets: Micro | null;
  liquidity: Micro | null;
  /** The highest liquidity within 6 hours; null: unknown. */
  highLiquidity: Micro | null;
  /** Net flow into the vault by the hour's earlier decisions. */
  inflow: Micro;
  /** Other partners' part of the inflow, at two digits; absent: none. */
  inflowOfOthers?: Micro;
  dilution: 'pool' | 'none';
  /** Change of the index against its highest within a day, and of assets against the median of a week; fractions; null: unknown. */
  indexChange: number | null;
  assetsChange: number | null;
  /** Hours until its quarantine ends; null: none. */
  quarantineHours: number | null;
  /** Limit on this service's holdings; null: none. */
  capacity: Micro | null;
  /** This service's holdings before the decision, over all partners. */
  held: Micro;
  /** The partner's part of them, on which limits on exposure depend. */
  own: Micro;
  /** Holdings that rates take into account: the partner's own exactly, others' at two digits, because a rate reveals them. */
  ours: Micro;
  /** Cost of moving the funds there; 0 for a deposit, and for the current vault. */
  cost: Micro;
  /** Median base fee of its chain, wei per gas, on which its part of the cost depends; absent: the cost is fixed. */
  baseFee?: number;
  /** Hours from a withdrawal until the funds are available elsewhere. */
  exitDelayHours: number;
  hoursSinceObserved: number | null;
  /** Whether no vault of the asset is observed. */
  silentEverywhere: boolean;
  /** Age of the newest reading and interval between readings, in hours; absent: as for observations. */
  reading?: { hours: number; step: number };
  hoursSinceLeft: number | null;
  /**
   * Of a vault that is tracked by its share price, fractions. `pendingChange`: step that the index has yet to take, relative to the vault's known
   * worth. `divergence`: its APY less its second source's; null: one is unknown.
   */
  price?: {
    pendingChange: number;
    maximumStep: number;
    divergence: number | null;
    maximumDivergence: number;
  };
}

/** Inputs of a decision. Plain JSON: stored with the decision, and enough to repeat it. */
export interface DecisionInputs {
  asset: string;
  amount: Micro;
  /** All of the partner's funds in the current vault, of which limits may let only a part move. */
  groupAmount: Micro;
  /** Current vault, a candidate or the idle vault; null: a deposit. */
  currentVaultId: string | null;
  /** All of the partner's funds of the asset with its cash, a deposit included. */
  book: Micro;
  positions: number;
  /** What others move in the same transaction: in the same hour, from the same vault to `vaultId`; absent: nothing. */
  shared?: { vaultId: string; amount: Micro; gain: Micro; promise: Micro };
  /** Whether the book has drifted so far over an exposure limit that the amount should leave; absent: it has not. */
  drifted?: true;
  /** Hours since the funds entered the vault; 0 for a deposit. */
  hoursInVault: number;
  /** The asset's cash vault, and the cost of moving the funds there. */
  idle: { vaultId: string; cost: Micro };
  snapshotHour: string;
  configVersion: string;
  constants: RoutingConstants;
  /** The partner's policy, with its vaults reduced to the asset's; absent: none. */
  policy?: Policy;
  candidates: readonly Candidate[];
}

/** The vault that holds the funds; undefined: cash, or a deposit. */
export const currentOf = ({
  candidates,
  currentVaultId,
}: Pick<DecisionInputs, 'candidates' | 'currentVaultId'>): Candidate | undefined =>
  candidates.find(({ vaultId }) => vaultId === currentVaultId);

export interface Alternative {
  vaultId: string;
  /** `hold`: the funds stay. */
  action: 'deposit' | 'move' | 'hold';
  apy: number | null;
  expectedApy: number | null;
  riskAdjustedApy: number | null;
  /** Rate that the amount would get: the expected risk-adjusted APY less the dilution by the amount itself. */
  rate: number | null;
  /** Difference from the current rate; null for a deposit, and when a rate is unknown. */
  delta: number | null;
  /** For `hold`, the conditions for staying; cash has none. */
  gates: Gate[];
  chosen: boolean;
}

export const DECISION_KINDS = ['route', 'rebalance', 'hold'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export type DecisionReason =
  /** Deposit or cash into the best vault within its limits. */
  | 'best_vault'
  /** Deposit or cash into the lending vault, because no vault within its limits has sufficient history; or a hold, because the current vault has none. */
  | 'insufficient_history'
  /** Deposit that no vault takes, which becomes cash; or a hold of cash. */
  | 'no_open_vault'
  | 'all_gates_passed'
  /** Move out of a vault that must be left, whatever the gain. */
  | 'evicted'
  /** Move out of a vault that the partner's policy forbids, whatever the gain. */
  | 'policy'
  /** Move out of a vault, a tier or a venue whose part of the book has drifted over its limit, whatever the gain. */
  | 'exposure'
  /** Hold: no vault is better. */
  | 'already_best'
  /** Hold: a better vault failed a gate, leaving the vault costs more than the funds are worth, or a move does not pay for cash. */
  | 'gate_failed';

export const LEAVING: ReadonlySet<DecisionReason> = new Set<DecisionReason>(['evicted', 'policy']);

/** Expected gain of a decision over staying; of a deposit over the asset's lending vault. Plain JSON. */
export interface ExpectedUplift {
  /** null when one of the rates is unknown. */
  apyDelta: number | null;
  horizonDays: number;
  /** Gain over the horizon before the cost; null likewise. */
  amount: Micro | null;
  cost: Micro;
  /** Net present value: gain less cost; null likewise. */
  npv: Micro | null;
}

/** Parts of a partner's book, cash included, as fractions. Plain JSON. */
export interface Shares {
  /** By vault, that of cash among them. */
  vaults: Record<string, number>;
  /** By tier of risk and by venue; cash has neither. */
  tiers: Record<string, number>;
  venues: Record<string, number>;
}

/** A partner's exposure before and after a decision, and its limits. */
export interface Exposure {
  before: Shares;
  after: Shares;
  /** Of the vaults, tiers and venues that are in either; without a limit: 1. */
  limits: Shares;
}

export interface Decision {
  kind: DecisionKind;
  reason: DecisionReason;
  asset: string;
  fromVaultId: string | null;
  toVaultId: string | null;
  snapshotHour: string;
  configVersion: string;
  inputs: DecisionInputs;
  /** Every candidate and `hold`, best first. */
  alternatives: Alternative[];
  /** For a reported hold: the vault in question and its failed gates. Equal values are the same reason to hold. */
  blocked: { vaultId: string; gates: GateName[] } | null;
  expectedUplift: ExpectedUplift;
  exposure: Exposure;
  /** Why, in words that its partner may read; absent in older records. */
  because?: string;
  /** What was decided, and why. */
  rationale: string;
}

export interface Outcome {
  promised: string;
  realised: string;
  /** End of its horizon. */
  at: string;
}

/** Progress of a decision that an executor executes. `failed`: reported as failed, refused, superseded, or without funds to move. */
export const ORDER_STATES = ['decided', 'taken_up', 'redeemed', 'arrived', 'lapsed', 'failed'] as const;

/** Decision that was made together with another: in the same hour, or for another part of the same deposit. */
export interface PlannedDecision {
  id: string;
  kind: DecisionKind;
  fromVaultId: string | null;
  toVaultId: string | null;
  amount: Micro;
}

export interface DecisionOrder {
  id: string;
  state: (typeof ORDER_STATES)[number];
}

export const exitDelayHoursOf = ({ fromVaultId, inputs }: Pick<Decision, 'fromVaultId' | 'inputs'>): number =>
  inputs.candidates.find(({ vaultId }) => vaultId === fromVaultId)?.exitDelayHours ?? 0;
