import type { JsonFailure } from '../../kernel/json-source.js';

/** Reasons for which a provider is dropped for the rest of a pass. */
export type FaultReason =
  | JsonFailure
  | 'malformed'
  | 'error'
  | 'wrong_chain'
  /** Its finalized block is far behind another provider's, or too old. */
  | 'lagging'
  | 'ahead'
  /** Its block at the pinned height differs from the majority's, or from the only other one. */
  | 'other_hash'
  /** Its data for the same block differ from the majority's, or from the only other provider's. */
  | 'other_answer'
  /** It lacks a finalized transaction that another provider has. */
  | 'missing_receipt';

/** Invalid answer of a provider. The message contains nothing of the provider's URL. */
export class ProviderFault extends Error {
  constructor(
    readonly reason: FaultReason,
    message: string,
  ) {
    super(message);
  }
}

/** Number of times a provider was dropped for a reason, since the process started. */
export interface FaultCount {
  chain: string;
  /** Position in the setting's list, from 1, and host: `2 rpc.example.com`. */
  provider: string;
  reason: FaultReason;
  count: number;
}

/** Faults of providers: counted for a metric, and logged as a sentence each. */
export class ChainFaults {
  private readonly byKey = new Map<string, FaultCount>();

  /** @param log receives a sentence for the log; must not throw */
  constructor(private readonly log: (sentence: string) => void) {}

  get counts(): readonly FaultCount[] {
    return [...this.byKey.values()];
  }

  add(chain: string, provider: string, { reason, message }: Pick<ProviderFault, 'reason' | 'message'>): void {
    const key = `${chain} ${provider} ${reason}`;
    const fault = this.byKey.get(key) ?? { chain, provider, reason, count: 0 };
    this.byKey.set(key, { ...fault, count: fault.count + 1 });
    this.log(`${chain}: provider ${provider}: ${message}.`);
  }
}
