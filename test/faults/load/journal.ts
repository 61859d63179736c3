import type { Call, Outcome } from './caller.js';

export type WriteKind = 'partner' | 'key' | 'user' | 'webhook' | 'deposit' | 'withdrawal' | 'test-send';

/** A POST that is to have its effect once, and all that came of sending it. */
export interface Write extends Call {
  kind: WriteKind;
  idempotencyKey: string;
  /** What tells its effect in the database: a transfer's hash, a name, a label. */
  mark: string;
  /** Of each time that it was sent, in order. */
  outcomes: Outcome[];
}

export type Acknowledged = Extract<Outcome, { kind: 'acknowledged' }>;

/** Everything that was sent, and how it ended. */
export class Journal {
  readonly writes: Write[] = [];
  /** Of reads, which are sent once each. */
  readonly reads: { path: string; outcome: Outcome }[] = [];

  add(write: Omit<Write, 'outcomes'>): Write {
    const added = { ...write, outcomes: [] };
    this.writes.push(added);
    return added;
  }

  of(kind: WriteKind): Write[] {
    return this.writes.filter((write) => write.kind === kind);
  }

  /** Those whose outcome nobody knows yet. */
  get open(): Write[] {
    return this.writes.filter((write) => !isSettled(write));
  }

  /** How often anything ended in each way, for a report and for what must not happen at all. */
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
   * A sentence for each answer that no caller should ever get: an error of the server, a refusal of what is right, an `unavailable` that does
   * not say when to come back, another answer to the same key.
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

/** What a write was answered with; null while it was not, and where it was refused. */
export const answerTo = ({ outcomes }: Write): Acknowledged | null =>
  outcomes.find((outcome) => outcome.kind === 'acknowledged') ?? null;

/** True once its outcome is known. */
export const isSettled = ({ outcomes }: Write): boolean => {
  const last = outcomes.at(-1);
  return (
    last !== undefined && (last.kind === 'acknowledged' || (last.kind === 'refused' && !isWaiting(last)))
  );
};

/** The first request with the key is still at work, or a test send has no place while claims of a killed process are open: ask again. */
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
