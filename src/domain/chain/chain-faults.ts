import type { JsonFailure } from '../json-source.js';

/** Why a provider was dropped for a pass. */
export type FaultReason =
  | JsonFailure
  /** What it answered is not of the expected shape. */
  | 'malformed'
  /** It answered with an error of JSON-RPC: overload, state that it no longer has. */
  | 'error'
  | 'wrong_chain'
  /** Its finalized block is far behind that of another provider, or older than any may be. */
  | 'lagging'
  /** Its finalized block is of a time to come. */
  | 'ahead'
  /** It has another block at the height that the pass is pinned to than most, or than one other. */
  | 'other_hash'
  /** It answers otherwise of the same block than most, or than one other. */
  | 'other_answer'
  /** It does not know a finalized transaction that another provider has. */
  | 'missing_receipt';

/** What a provider answered with in place of what it was asked for. Its message holds nothing of the provider's URL. */
export class ProviderFault extends Error {
  constructor(
    readonly reason: FaultReason,
    message: string,
  ) {
    super(message);
  }
}

/** How often a provider was dropped for a reason, since the process began. */
export interface FaultCount {
  chain: string;
  /** Its place in the setting's list, from 1, and its host: `2 rpc.example.com`. */
  provider: string;
  reason: FaultReason;
  count: number;
}

/** Faults of providers: counted for a metric, and told in a sentence each. */
export class ChainFaults {
  private readonly byKey = new Map<string, FaultCount>();

  /** @param tell a sentence, for the log. Must not throw */
  constructor(private readonly tell: (sentence: string) => void) {}

  get counts(): readonly FaultCount[] {
    return [...this.byKey.values()];
  }

  add(chain: string, provider: string, { reason, message }: Pick<ProviderFault, 'reason' | 'message'>): void {
    const key = `${chain} ${provider} ${reason}`;
    const known = this.byKey.get(key) ?? { chain, provider, reason, count: 0 };
    this.byKey.set(key, { ...known, count: known.count + 1 });
    this.tell(`${chain}: provider ${provider}: ${message}.`);
  }
}
