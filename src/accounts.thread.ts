import type { DestinationStream, Logger } from 'pino';
import type { Settings } from './config/settings.js';
import type { ClaimedMove } from './domain/accounts/account-moves.js';
import { DomainError } from './domain/domain-error.js';
import type { Answered } from './domain/idempotency/idempotency.service.js';
import { failureOf } from './worker.failure.js';
import { CHECK_MS, type FromThread, SCRIPT, WorkerThread } from './worker.thread.js';

/** Connections of its pool beside one per move: clock and storage checks. */
export const OWN_CONNECTIONS = 1;
/** Grace at a stop: requests that waited for a move have ended by then. */
const LAST_MS = 1_000;

/**
 * Thread that advances and resets accounts for a process that answers requests, because hours of simulation take a core and a connection for seconds. Started by the first move, since
 * most processes never make one. It ends with its process, so that no advance outlives its request's process.
 */
export class AccountsThread extends WorkerThread {
  /** true from the first move on. */
  override isNeeded = false;
  private readonly under = new Map<number, PromiseWithResolvers<Answered | null>>();
  private moves = 0;

  constructor(
    settings: Settings,
    log: Logger,
    lines: DestinationStream,
    script = SCRIPT,
    checkMs = CHECK_MS,
  ) {
    super(withPoolOf(settings), log.child({ thread: 'accounts' }), lines, script, checkMs, 'accounts');
  }

  /**
   * @param databaseUrl of a database that is up to date
   * @throws DomainError as the move does; `service_unavailable` where the thread ends before it is through
   */
  carryOut(claimed: ClaimedMove, databaseUrl: string): Promise<Answered | null> {
    if (!this.isNeeded) {
      this.isNeeded = true;
      // A failed start rejects its moves when the thread exits.
      this.start(databaseUrl).catch(() => undefined);
    }
    const move = ++this.moves;
    const waits = Promise.withResolvers<Answered | null>();
    if (!this.post({ move, claimed })) return Promise.reject(cutOff());
    this.under.set(move, waits);
    return waits.promise;
  }

  override stop(graceMs = LAST_MS): Promise<void> {
    return super.stop(graceMs);
  }

  protected override hear(said: FromThread): void {
    if (said === 'started' || !('moved' in said)) return super.hear(said);
    const waits = this.under.get(said.moved);
    this.under.delete(said.moved);
    if ('failure' in said) waits?.reject(failureOf(said.failure));
    else waits?.resolve(said.answered);
  }

  protected override ended(): void {
    for (const { reject } of this.under.values()) reject(cutOff());
    this.under.clear();
    super.ended();
  }
}

/** A connection for each account that is moved at once. */
function withPoolOf(settings: Settings): Settings {
  const poolSize = settings.constants.accounts.movesAtOnce + OWN_CONNECTIONS;
  return Object.assign(Object.create(Object.getPrototypeOf(settings) as object) as Settings, settings, {
    database: { ...settings.database, poolSize },
  });
}

const cutOff = (): DomainError =>
  new DomainError(
    'service_unavailable',
    "Moving the account's time was cut off: all of its hours were run, or none. See its clock before you try again, or send the same Idempotency-Key.",
  );
