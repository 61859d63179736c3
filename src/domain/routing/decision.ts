import type { Policy } from '../policies/policy.js';
import type { Candidate, Gate, GateName, Micro, RoutingConstants } from './gates.js';

/** All that a decision depends on. Plain JSON: stored with the decision, and enough to make it again. */
export interface DecisionInputs {
  asset: string;
  /** What is deposited, or what would move; above 0. */
  amount: Micro;
  /** What is held in the current vault in all, of which a limit may let only a part move. */
  groupAmount: Micro;
  /** Where the funds are; null: they are a deposit. It is one of the candidates, or the idle vault. */
  currentVaultId: string | null;
  /** Since they were put there; 0 for a deposit. */
  hoursInVault: number;
  /** The asset's cash, and what it costs to take the funds there. */
  idle: { vaultId: string; cost: Micro };
  /** The UTC hour whose snapshots are judged, ISO 8601. */
  snapshotHour: string;
  /** Names the configuration that the constants are from. */
  configVersion: string;
  constants: RoutingConstants;
  /** What the partner's policy asked for; absent: it had none. Its vaults are those of the asset. */
  policy?: Policy;
  /** All vaults of the asset. */
  candidates: readonly Candidate[];
}

export interface Alternative {
  vaultId: string;
  /** `hold`: leave the funds where they are. */
  action: 'deposit' | 'move' | 'hold';
  apy: number | null;
  expectedApy: number | null;
  riskAdjustedApy: number | null;
  /** What the amount finds there: the risk-adjusted APY, less what the amount itself takes from it. */
  rate: number | null;
  /** Over where the funds are; null for a deposit, and where one is not known. */
  delta: number | null;
  /** Of `hold`: what a vault must be to be kept; cash needs no reason. */
  gates: Gate[];
  chosen: boolean;
}

/** A deposit's way, a move, or funds that stayed. */
export const DECISION_KINDS = ['route', 'rebalance', 'hold'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export type DecisionReason =
  /** A deposit, or cash, into the best vault within its limits. */
  | 'best_vault'
  /** The same into the lending vault, as no vault within its limits has history; or a hold, as the current vault has none. */
  | 'insufficient_history'
  /** A deposit that no vault takes, which is then cash; or a hold of cash. */
  | 'no_open_vault'
  | 'all_gates_passed'
  /** A move out of a vault that must be left, whatever there is to gain. */
  | 'evicted'
  /** A move out of a vault that the partner's policy does not allow, whatever there is to gain. */
  | 'policy'
  /** A hold: no vault is better. */
  | 'already_best'
  /** A hold: a better vault failed a gate, the one that must be left costs more to leave than is there, or cash does not pay for a move. */
  | 'gate_failed';

/** Of moves out of a vault that is to be left whatever there is to gain. */
export const LEAVING: ReadonlySet<DecisionReason> = new Set<DecisionReason>(['evicted', 'policy']);

/** What a decision is expected to bring, over staying; of a deposit over the asset's lending vault. Plain JSON. */
export interface ExpectedUplift {
  /** null where one of the rates is not known. */
  apyDelta: number | null;
  horizonDays: number;
  /** Gain over the horizon, before the cost; null as above. */
  amount: Micro | null;
  cost: Micro;
  /** The gain less the cost; null as above. */
  npv: Micro | null;
}

/** Plain JSON, amounts in digits. */
export interface Decision {
  kind: DecisionKind;
  reason: DecisionReason;
  asset: string;
  /** null of a deposit. */
  fromVaultId: string | null;
  /** null of a hold. */
  toVaultId: string | null;
  snapshotHour: string;
  configVersion: string;
  inputs: DecisionInputs;
  /** Best first; every candidate, `hold` among them. */
  alternatives: Alternative[];
  /** Of a hold that is told: the vault in question and what it failed. Equal ones are the same reason to hold. */
  blocked: { vaultId: string; gates: GateName[] } | null;
  /** A hold's is 0. */
  expectedUplift: ExpectedUplift;
  rationale: string;
}

/** What a move promised, and what it brought over staying; micro-units as digits. */
export interface Outcome {
  promised: string;
  realised: string;
  /** The end of its horizon. */
  at: string;
}
