import type { Caller } from './caller.js';
import { answerTo, isSettled, type Journal, type Write } from './journal.js';
import type { Random } from './random.js';

/** A partner that was created before any fault, with endpoints that take every event. */
export interface Account {
  partnerId: string;
  secret: string;
  userIds: string[];
  /** The partner's endpoints, each with the path of its receiver. */
  endpoints: { id: string; path: string; secret: string }[];
}

/** Keys of the deployment that writers use. */
export interface Senders {
  admin: string;
  /** A key with the scope `write`, which reports settled transfers. */
  protocol: string;
}

const READS = ['/partner/summary', '/partner/users?limit=5', '/webhooks?limit=5', '/partner/yield'];
const MOST_ENDPOINTS = 20;
const TRIES = 4;

/** One of many concurrent writers. It retries like a well-behaved client: a request without an answer is sent again with the same key. */
export class Writer {
  /** A lower bound of each position's funds, in whole units. */
  private readonly funds = new Map<string, number>();
  private readonly users: string[];
  private count = 0;

  constructor(
    /** The name of the writer, unique on the database. */
    private readonly name: string,
    private readonly caller: Caller,
    private readonly journal: Journal,
    private readonly random: Random,
    private readonly account: Account,
    private readonly senders: Senders,
    private readonly hookUrl: (path: string) => string,
  ) {
    this.users = [...account.userIds];
  }

  /** Sends a request, and retries it if need be. */
  async step(): Promise<void> {
    const drawn = this.random.next();
    if (drawn < 0.34) return this.deposit();
    if (drawn < 0.56) return this.withdraw();
    if (drawn < 0.64) return this.createUser();
    if (drawn < 0.7) return this.createKey();
    if (drawn < 0.73) return this.createPartner();
    if (drawn < 0.75) return this.createWebhook();
    if (drawn < 0.8) return this.testSend();
    return this.read();
  }

  private async deposit(): Promise<void> {
    const amount = this.random.between(100, 10_000);
    const body = { user_id: this.random.pick(this.users), asset: 'USDC', amount, tx_hash: this.txHash() };
    const write = this.write('deposit', '/positions', this.senders.protocol, body, body.tx_hash);
    await this.perform(write);
    const answer = answerTo(write);
    if (answer) this.funds.set(answer.data.id, amount);
  }

  private async withdraw(): Promise<void> {
    const positionIds = [...this.funds.keys()];
    if (positionIds.length === 0) return this.deposit();
    const id = this.random.pick(positionIds);
    const balance = this.funds.get(id)!;
    const all = balance < 10 || this.random.chance(0.3);
    const amount = this.random.between(1, Math.max(1, Math.floor(balance / 4)));
    // The funds are deducted before the answer, because the outcome of a withdrawal may stay unknown for a while.
    if (all) this.funds.delete(id);
    else this.funds.set(id, balance - amount);
    const body = { ...(!all && { amount }), tx_hash: this.txHash() };
    const path = `/positions/${id}/withdrawals`;
    const write = this.write('withdrawal', path, this.senders.protocol, body, body.tx_hash);
    await this.perform(write);
    // No further withdrawal from a position with an open one: its remaining funds are unknown.
    if (!isSettled(write)) this.funds.delete(id);
  }

  private async createUser(): Promise<void> {
    const mark = this.mark();
    const write = this.write('user', '/users', this.account.secret, { external_id: mark }, mark);
    await this.perform(write);
    const answer = answerTo(write);
    if (answer) this.users.push(answer.data.id);
  }

  private async createKey(): Promise<void> {
    const mark = this.mark();
    await this.perform(
      this.write('key', '/keys', this.senders.admin, { label: mark, scopes: ['read'] }, mark),
    );
  }

  private async createPartner(): Promise<void> {
    const mark = this.mark();
    await this.perform(this.write('partner', '/partners', this.senders.admin, { name: mark }, mark));
  }

  private async createWebhook(): Promise<void> {
    if (this.journal.of('webhook').length >= MOST_ENDPOINTS) return this.testSend();
    const mark = this.mark();
    const body = { url: this.hookUrl(`/later/${mark}`), description: mark };
    await this.perform(this.write('webhook', '/webhooks', this.account.secret, body, mark));
  }

  private async testSend(): Promise<void> {
    const { id } = this.random.pick(this.account.endpoints);
    await this.perform(
      this.write('test-send', `/webhooks/${id}/test`, this.account.secret, undefined, this.mark()),
    );
  }

  private async read(): Promise<void> {
    const path = this.random.pick(READS);
    const outcome = await this.caller.send({ method: 'GET', path, secret: this.account.secret });
    this.journal.reads.push({ path, outcome });
  }

  /** Most requests without an answer are retried soon; `settle` retries the rest. */
  private async perform(write: Write): Promise<void> {
    for (let turn = 0; turn < TRIES; turn++) {
      write.outcomes.push(await this.caller.send(write));
      if (isSettled(write) || this.random.chance(0.2)) return;
      await new Promise((resolve) => setTimeout(resolve, this.random.between(10, 150)));
    }
  }

  private write(
    kind: Write['kind'],
    path: string,
    secret: string,
    body: object | undefined,
    mark: string,
  ): Write {
    const idempotencyKey = this.mark();
    return this.journal.add({
      kind,
      method: 'POST',
      path,
      secret,
      idempotencyKey,
      mark,
      ...(body && { body }),
    });
  }

  private mark(): string {
    return `${this.name}-${++this.count}`;
  }

  private txHash(): string {
    return `0x${Buffer.from(this.mark()).toString('hex').padStart(64, '0')}`;
  }
}
