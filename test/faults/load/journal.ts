import type { Call, Outcome } from './caller.js';

export type WriteKind = 'partner' | 'key' | 'user' | 'webhook' | 'deposit' | 'withdrawal' | 'test-send';

/** A POST that must have its effect exactly once, and the outcomes of sending it. */
export interface Write extends Call {
  kind: WriteKind;
  idempotencyKey: string;
  /** A unique value that identifies the effect in the database: a transfer's hash, a name, a label. */
  mark: string;
  /** The outcome of each attempt, in order. */
  outcomes: Outcome[];
}

export type AcknowledgedWrite = Extract<Outcome, { kind: 'acknowledged' }>;

/** All requests, and their outcomes. */
export class Journal {
  readonly writes: Write[] = [];
  /** Reads, which are sent once each. */
  readonly reads: { path: string; outcome: Outcome }[] = [];

  add(write: Omit<Write, 'outcomes'>): Write {
    const added = { ...write, outcomes: [] };
    this.writes.push(added);
    return added;
  }

  of(kind: WriteKind): Write[] {
    return this.writes.filter((write) => write.kind === kind);
  }

  /** Writes whose outcome is still unknown. */
  get open(): Write[] {
    return this.writes.filter((write) => !isSettled(write));
  }

  /** Counts of outcomes by kind. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    const all = [
      ...this.writes.flatMap(({ outcomes }) => outcomes),
      ...this.reads.map(({ outcome }) => outcome),
    ];
    for (const outcome of all) counts[named(outcome)] = (counts[named(outcome)] ?? 0) + 1;
    return counts;
  }

  /**
   * A sentence for each answer that a server must never give: a server error, a refusal of a valid request, `unavailable` without Retry-After, a
   * different answer to the same Idempotency-Key.
   */
  troubles(): string[] {
    const found = this.writes.flatMap((write) => [
      ...write.outcomes.filter(isWrong).map((outcome) => `${said(write)}: ${JSON.stringify(outcome)}`),
      ...(new Set(
        write.outcomes.flatMap((outcome) => (outcome.kind === 'acknowledged' ? [outcome.text] : [])),
      ).size > 1
        ? [`${said(write)}: was answered in two ways`]
        : []),
    ]);
    const reads = this.reads.filter(({ outcome }) => isWrong(outcome));
    return [...found, ...reads.map(({ path, outcome }) => `GET ${path}: ${JSON.stringify(outcome)}`)];
  }
}

/** The acknowledged answer to a write; null: none yet, or it was refused. */
export const answerTo = ({ outcomes }: Write): AcknowledgedWrite | null =>
  outcomes.find((outcome) => outcome.kind === 'acknowledged') ?? null;

/** True once the outcome of the write is known. */
export const isSettled = ({ outcomes }: Write): boolean => {
  const last = outcomes.at(-1);
  return (
    last !== undefined && (last.kind === 'acknowledged' || (last.kind === 'refused' && !isWaiting(last)))
  );
};

/**
 * Refusals that ask for a retry: the first request with the key is still running, or the claims of a killed process still occupy the slots of test
 * sends.
 */
const WAITING: ReadonlySet<string> = new Set(['idempotency_in_progress', 'rate_limited']);
const isWaiting = (outcome: Outcome): boolean => outcome.kind === 'refused' && WAITING.has(outcome.code);

const isWrong = (outcome: Outcome): boolean =>
  outcome.kind === 'failed' ||
  (outcome.kind === 'refused' && !isWaiting(outcome)) ||
  (outcome.kind === 'unavailable' &&
    (outcome.code !== 'service_unavailable' || !/^\d+$/.test(outcome.retryAfter ?? '')));

const said = ({ method, path, mark, outcomes }: Write): string =>
  `${method} ${path} (${mark}), after ${outcomes.map(named).join(', ')}`;

const named = (outcome: Outcome): string =>
  outcome.kind === 'refused'
    ? outcome.code
    : outcome.kind === 'broken'
      ? `broken (${outcome.reason})`
      : outcome.kind;
