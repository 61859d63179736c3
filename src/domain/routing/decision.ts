import type { Candidate, Gate, GateName, Micro, RoutingConstants } from './gates.js';

/** All that a decision depends on. Plain JSON: stored with the decision, and enough to make it again. */
export interface DecisionInputs {
  asset: string;
  /** What is deposited, or what is held in the current vault; above 0. */
  amount: Micro;
  /** Where the funds are; null: they are a deposit. It is one of the candidates. */
  currentVaultId: string | null;
  /** Since they were put there; 0 for a deposit. */
  hoursInVault: number;
  /** The UTC hour whose snapshots are judged, ISO 8601. */
  snapshotHour: string;
  /** Names the configuration that the constants are from. */
  configVersion: string;
  constants: RoutingConstants;
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
  /** Over where the funds are, in risk-adjusted APY; null for a deposit, and where one is not known. */
  delta: number | null;
  /** Empty for `hold`: it needs no reason. */
  gates: Gate[];
  chosen: boolean;
}

/** A deposit's way, a move, or funds that stayed. */
export const DECISION_KINDS = ['route', 'rebalance', 'hold'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export type DecisionReason =
  /** A deposit, into the best vault that is open to it. */
  | 'best_vault'
  /** A deposit into the lending vault, as no open vault has history; or a hold, as the current vault has none. */
  | 'insufficient_history'
  /** A deposit that no vault takes. */
  | 'no_open_vault'
  | 'all_gates_passed'
  /** A hold: no vault is better. */
  | 'already_best'
  /** A hold: a better vault failed a gate. */
  | 'gate_failed';

/** Plain JSON, amounts in digits. */
export interface Decision {
  kind: DecisionKind;
  reason: DecisionReason;
  asset: string;
  /** null of a deposit. */
  fromVaultId: string | null;
  /** null of a hold, and of a deposit that no vault takes. */
  toVaultId: string | null;
  snapshotHour: string;
  configVersion: string;
  inputs: DecisionInputs;
  /** Best first; every candidate, `hold` among them. */
  alternatives: Alternative[];
  /** Of a hold with `gate_failed`: the better vault and what it failed. Equal ones are the same reason to hold. */
  blocked: { vaultId: string; gates: GateName[] } | null;
  /**
   * Of the choice over staying, after the cost; of a deposit over the asset's lending vault. A hold's is 0; null: not known.
   */
  expectedUplift: { apyDelta: number | null; horizonDays: number; amount: Micro | null };
  rationale: string;
}
