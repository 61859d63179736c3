import { randomUUID } from 'node:crypto';
import { Caller } from './caller.js';
import type { Hooks } from './hooks.js';
import { isSettled, Journal } from './journal.js';
import { Random } from './random.js';
import { type Account, type Senders, Writer } from './writer.js';

export interface LoadOptions {
  /** The seed of every random choice. */
  seed: number;
  /** Base URLs of the deployment's processes; read at each request, because processes come and go. */
  urls: () => readonly string[];
  /** A key with `keys:admin` and `partner:admin`. */
  adminKey: string;
  hooks: Hooks;
  /** Concurrent writers. Default: 8 */
  writers?: number;
  /** The longest pause of a writer after each step. Default: 20 */
  pauseMs?: number;
}

/** Partners that the writers share. */
const ACCOUNTS = 4;
const SETTLERS = 8;
const SETTLE_PAUSE_MS = 50;
/** The outcome of a test send that was cut off is known when its record is closed: after the send timeout and the grace period of its claim. */
const SETTLE_MS = 60_000;
let loads = 0;

/**
 * Mixed load on a deployment of the partner contract: partners, keys, users, endpoints, deposits, withdrawals, test sends and reads, by writers that
 * retry like a well-behaved client. `journal` records every request.
 *
 *   const load = await Load.prepare({ seed, urls, adminKey, hooks });   // without faults
 *   load.start();
 *   ...                                                                 // faults
 *   await load.stop();                                                  // without faults again
 *   await load.settle();
 *   expect(await audit(databaseUrl, load, hooks)).toEqual([]);
 */
export class Load {
  readonly journal = new Journal();
  private running = false;
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly options: LoadOptions,
    /** A prefix of all names that the load creates. */
    readonly name: string,
    readonly accounts: readonly Account[],
    private readonly caller: Caller,
    private readonly writers: Writer[],
    private readonly random: Random,
  ) {}

  /** Creates the partners that the writers act for. Waits for processes that are starting. */
  static async prepare(options: LoadOptions): Promise<Load> {
    const name = `load${++loads}.${options.seed}`;
    const random = new Random(options.seed);
    const caller = new Caller(options.urls);
    const create = async (secret: string, path: string, body: object): Promise<any> => {
      const idempotencyKey = randomUUID();
      const deadline = Date.now() + SETTLE_MS;
      for (;;) {
        const outcome = await caller.send({ method: 'POST', path, secret, body, idempotencyKey });
        if (outcome.kind === 'acknowledged') return outcome.data;
        if (outcome.kind === 'refused' || outcome.kind === 'failed' || Date.now() > deadline)
          throw new Error(`${path}: ${JSON.stringify(outcome)}`);
        await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS));
      }
    };
    const protocol = await create(options.adminKey, '/keys', { label: name, scopes: ['write'] });
    const senders: Senders = { admin: options.adminKey, protocol: protocol.secret };
    const accounts: Account[] = [];
    for (let number = 0; number < ACCOUNTS; number++) {
      const { partner, api_key } = await create(options.adminKey, '/partners', { name: `${name}.${number}` });
      const account: Account = { partnerId: partner.id, secret: api_key.secret, userIds: [], endpoints: [] };
      for (const path of [`/fast/${name}.${number}`, `/slow/${name}.${number}`]) {
        const { id, secret } = await create(account.secret, '/webhooks', { url: options.hooks.url(path) });
        account.endpoints.push({ id, path, secret });
      }
      const { id } = await create(account.secret, '/users', { external_id: `${name}.${number}` });
      account.userIds.push(id);
      accounts.push(account);
    }
    const load = new Load(options, name, accounts, caller, [], random);
    const writers = Array.from({ length: options.writers ?? 8 }, (_, number) => {
      const account = accounts[number % accounts.length]!;
      const hookUrl = (path: string): string => options.hooks.url(path);
      return new Writer(`${name}-${number}`, caller, load.journal, random.fork(), account, senders, hookUrl);
    });
    load.writers.push(...writers);
    return load;
  }

  start(): void {
    this.running = true;
    const pauses = this.random.fork();
    this.writing = Promise.all(
      this.writers.map(async (writer) => {
        while (this.running) {
          await writer.step();
          const pause = pauses.between(0, this.options.pauseMs ?? 20);
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }),
    );
  }

  /** Starts no more requests, and waits for those in flight. */
  async stop(): Promise<void> {
    this.running = false;
    await this.writing;
  }

  /** Retries writes without an answer, with their Idempotency-Keys, until each has one. @throws Error when that takes more than a minute, and longer for thousands */
  async settle(): Promise<void> {
    const all = this.journal.open;
    const open = all[Symbol.iterator]();
    const deadline = Date.now() + SETTLE_MS + all.length * SETTLE_PAUSE_MS;
    const settler = async (): Promise<void> => {
      for (const write of open) {
        while (!isSettled(write)) {
          write.outcomes.push(await this.caller.send(write));
          if (Date.now() > deadline) throw new Error(`Not settled: ${JSON.stringify(write)}`);
          if (!isSettled(write)) await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS));
        }
      }
    };
    await Promise.all(Array.from({ length: SETTLERS }, settler));
  }

  /** Repeats some acknowledged writes: each must get its first answer, which `journal.troubles()` checks. */
  async replay(count: number): Promise<void> {
    const { writes } = this.journal;
    for (let turn = 0; turn < count && writes.length > 0; turn++) {
      const write = this.random.pick(writes);
      write.outcomes.push(await this.caller.send(write));
    }
  }

  /** Also stops a load that a failed test left running. */
  async close(): Promise<void> {
    this.running = false;
    await this.caller.close();
    await this.writing;
  }
}
