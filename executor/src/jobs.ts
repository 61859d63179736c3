import type { Logger } from 'pino';
import type * as z from 'zod';
import type { Allowlist } from './allowlist.js';
import type { Intent } from './contracts.js';
import type { Journal } from './journal.js';
import { NotAllowed, NotNow, requireObstacle } from './problem.js';
import type { Facts, Job, Transaction } from './records.js';
import { formOf, isRefusal, type Key, type Refusal, type Server, wholeOf, type Work } from './server.js';
import type { Sender } from './sender.js';
import type { ChainName } from './settings.js';

/** What a pass works with. */
export interface Tools {
  server: Server;
  journal: Journal;
  allowlist: Allowlist;
  senders: ReadonlyMap<ChainName, Sender>;
  giveUpMs: number;
  dryRun: boolean;
  log: Logger;
}

type Step = Transaction['step'];
const STEPS: readonly Step[] = ['redeem', 'approve', 'deposit', 'transfer'];
/** Reverts of a step after which it is not tried again. */
const MOST_REVERTS = 3;

/** The operations of the API for one kind of work. */
export interface Operations {
  read(id: string): Promise<unknown>;
  take(id: string, key: Key): Promise<unknown>;
  report(job: Job, step: Step, body: { tx_hash: string; amount: number }, key: Key): Promise<unknown>;
  fail(id: string, body: { note: string }, key: Key): Promise<unknown>;
}

/** Names of the reports on steps that are final. */
const REPORTS = { redeem: 'redeemed', deposit: 'settled', transfer: 'paid' };
/** What the log and people call it. */
const NAMES = { move: { noun: 'order', verb: 'send' }, payout: { noun: 'withdrawal', verb: 'pay' } };

/** Takes work of one kind, does it a transaction at a time, and reports it. Each step follows from the journal. */
export abstract class Jobs<Known extends Work> {
  protected abstract readonly kind: Job['kind'];
  protected abstract readonly form: z.ZodType<Known>;
  /** Facts that may not change once it is taken. */
  protected abstract readonly fixed: readonly string[];
  protected abstract readonly operations: Operations;

  constructor(protected readonly tools: Tools) {}

  protected get executor(): Server['executor'] {
    return this.tools.server.executor;
  }

  /** Work that nobody took, the oldest first. */
  abstract list(): Promise<Known[]>;
  protected abstract factsOf(work: Known): Facts;
  /** Its first or its main transaction, once all seem possible. @throws NotAllowed, NotNow with what stands in the way */
  protected abstract tryOut(work: Known, now: number): Promise<Intent>;
  /** @throws NotAllowed, NotNow */
  protected abstract next(job: Job, work: Known, sent: readonly Transaction[], now: number): Promise<Intent>;
  /** The step whose end is reported next. */
  protected abstract reportedStep(job: Job): keyof typeof REPORTS;
  /** Whether the server says of work under way what the journal says. */
  protected abstract isAsReported(job: Job, work: Known): boolean;
  /** Whether it has to be ended as it was begun. */
  protected abstract isBound(sent: readonly Transaction[]): boolean;

  /** Takes what it can carry out, and leaves the rest to others. */
  async consider(work: Known, now: number): Promise<void> {
    const { journal, log, dryRun } = this.tools;
    const { kind } = this;
    const { id, asset } = work;
    if (journal.job(id)) return;
    const facts = this.factsOf(work);
    let intent: Intent;
    try {
      intent = await this.tryOut(work, now);
    } catch (error) {
      const reason = requireObstacle(error).message;
      if (journal.leave(id, reason, facts, now)) log.warn({ id, ...facts }, `left alone: ${reason}`);
      return;
    }
    const { chain, units } = intent;
    if (!dryRun) return this.advance(journal.begin({ id, kind, chain, asset, facts }, now), now);
    log.info(
      { id, ...facts, ...intent, units: String(units) },
      `dry run: would take and ${NAMES[kind].verb}`,
    );
  }

  /** Does the next thing of a job. */
  async advance(job: Job, now: number): Promise<void> {
    const { journal, allowlist } = this.tools;
    const { id, chain, asset, status, note } = job;
    if (status === 'taking') {
      if (await this.isTaken(job, now)) await this.advance(journal.job(id)!, now);
      return;
    }
    const sent = journal.transactionsOf(id);
    if (status === 'closing') return this.close(job, note ?? 'closed', now);
    const step = this.reportedStep(job);
    const final = sent.find((entry) => entry.step === step && entry.status === 'final');
    if (!final) return journal.inFlight(chain) ? undefined : this.sendNext(job, sent, now);
    const name = REPORTS[step];
    const amount = wholeOf(BigInt(final.amount!) / allowlist.scale(chain, asset));
    const body = { tx_hash: final.hash!, amount };
    const report = (key: Key): Promise<unknown> => this.operations.report(job, step, body, key);
    const answer = await this.report(name, `${id} ${final.hash}`, report);
    if (isRefusal(answer)) {
      this.trouble(job, `the report ${name} was refused${textOf(answer)}`, now);
    } else if (step === 'redeem' && answer.status === 'arriving') {
      journal.turn(id, 'redeemed');
      await this.advance(journal.job(id)!, now);
    } else this.finish(job, `the ${NAMES[this.kind].noun} is ${answer.status}`);
  }

  /** @throws NotAllowed for a chain without a sender */
  protected senderOf(chain: ChainName): Sender {
    const sender = this.tools.senders.get(chain);
    if (!sender) throw new NotAllowed(`${chain} is not served`);
    return sender;
  }

  private async isTaken(job: Job, now: number): Promise<boolean> {
    const { journal } = this.tools;
    const { id } = job;
    const answer = await this.report('taken', id, (key) => this.operations.take(id, key));
    if (isRefusal(answer)) {
      const why = `taking it was refused${textOf(answer)}`;
      const { taken_by: taker, ended_at } = await this.read(id);
      // An answer that was lost a day ago: whether it was ours, only a person can say.
      if (taker !== null && taker === journal.fact('key'))
        this.stop(job, 'it was taken by our key, and the answer was lost');
      // Another order of the partner has its funds, or a report is unresolved: it is taken once that has ended.
      else if (taker === null && ended_at === null) this.trouble(job, why, now);
      else this.finish(job, why);
      return false;
    }
    if (answer.taken_by !== null) journal.setFact('key', answer.taken_by);
    if (!this.isAsTaken(job, answer)) return false;
    if (answer.ended_at === null) journal.turn(id, 'taken');
    else this.finish(job, `not taken: ${this.endOf(answer)}`);
    return answer.ended_at === null;
  }

  /** Sends the next transaction; gives the work up if that is impossible for long. */
  private async sendNext(job: Job, sent: readonly Transaction[], now: number): Promise<void> {
    const { journal } = this.tools;
    const work = await this.read(job.id);
    if (!this.isAsTaken(job, work)) return;
    if (work.ended_at !== null && !this.isBound(sent)) return this.close(job, this.endOf(work), now);
    if (work.ended_at !== null)
      return this.stop(job, `${this.endOf(work)}, and its funds were redeemed from their vault`);
    if (!this.isAsReported(job, work))
      return this.stop(
        job,
        `the server says that it is ${work.status}, which this executor has not reported`,
      );
    const hopeless = STEPS.find((step) => revertsOf(sent, step) >= MOST_REVERTS);
    try {
      if (hopeless) throw new NotNow(`the ${hopeless} was reverted again and again`);
      await this.senderOf(job.chain).send(job, await this.next(job, work, sent, now), now);
      journal.turn(job.id, job.status);
    } catch (error) {
      const { message } = requireObstacle(error);
      const isLong = this.trouble(job, message, now);
      if (this.isBound(sent) || (!isLong && !hopeless)) return;
      const body = { note: message.slice(0, 500) };
      const answer = await this.report('failed', job.id, (key) => this.operations.fail(job.id, body, key));
      if (!isRefusal(answer)) return this.close(job, `given up: ${message}`, now);
      this.trouble(job, `the report failed was refused${textOf(answer)}`, now);
    }
  }

  /** Ends a job, once its allowance is used up or taken back. */
  private async close(job: Job, how: string, now: number): Promise<void> {
    const { journal } = this.tools;
    const { id, chain, asset } = job;
    const vault_id = journal.transactionsOf(id).findLast(({ step }) => step === 'approve')?.vault_id;
    // The allowance may be of another order by now.
    if (vault_id && journal.approverOf(vault_id) === id) {
      const sender = this.senderOf(chain);
      const intent: Intent = { step: 'approve', chain, asset, units: 0n, vault_id, wallet: null };
      if ((await sender.account.allowance(intent)) > 0n) {
        journal.turn(id, 'closing', how);
        if (!journal.inFlight(chain)) await sender.send(job, intent, now);
        return;
      }
    }
    this.finish(job, how);
  }

  private report(
    name: string,
    subject: string,
    send: (key: Key) => Promise<unknown>,
  ): Promise<Known | Refusal> {
    return this.tools.server.report(name, subject, this.form, send);
  }

  private async read(id: string): Promise<Known> {
    return formOf(this.form, await this.operations.read(id));
  }

  private endOf({ status, failure }: Known): string {
    return `the ${NAMES[this.kind].noun} has ended: ${status} (${failure ?? 'done'})`;
  }

  /** Whether the server still says what it said when the work was taken. */
  private isAsTaken(job: Job, work: Known): boolean {
    const facts = this.factsOf(work);
    const changed = this.fixed.filter((name) => facts[name] !== job.facts[name]);
    if (work.id !== job.id) changed.push('id');
    if (changed.length > 0) this.stop(job, `the server names another ${changed.join(', ')} than before`);
    return changed.length === 0;
  }

  /** Notes what keeps a job from going on. @returns whether that lasts for so long that it is given up */
  private trouble(job: Job, what: string, now: number): boolean {
    const { journal, log, giveUpMs } = this.tools;
    const since = job.trouble_since ?? now;
    journal.trouble(job.id, what, since);
    if (job.note !== what) log.warn({ job: job.id }, what);
    return now - since >= giveUpMs;
  }

  /** Ends a job that an operator has to look at. */
  private stop({ id }: Job, why: string): void {
    this.tools.journal.turn(id, 'stopped', why);
    this.tools.log.error({ job: id }, `stopped, an operator has to look at it: ${why}`);
  }

  private finish({ id }: Job, how: string): void {
    this.tools.journal.turn(id, 'done', how);
    this.tools.log.info({ job: id }, how);
  }
}

const textOf = ({ code, message }: Refusal): string => ` (${code}): ${message}`;
const revertsOf = (sent: readonly Transaction[], step: Step): number =>
  sent.filter((entry) => entry.step === step && entry.status === 'reverted').length;

export const finalRedemptions = (sent: readonly Transaction[]): Transaction[] =>
  sent.filter(({ step, status }) => step === 'redeem' && status === 'final');

export const isIdle = (vaultId: string): boolean => vaultId.startsWith('vlt_idle_');

/** The most that an amount may have become since it was taken: a hundredth is the yield of months. */
export const grown = (amount: bigint): bigint => amount + amount / 100n;
