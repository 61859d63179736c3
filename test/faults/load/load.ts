import { randomUUID } from 'node:crypto';
import { Caller } from './caller.js';
import type { Hooks } from './hooks.js';
import { isSettled, Journal } from './journal.js';
import { Random } from './random.js';
import { type Account, type Senders, Writer } from './writer.js';

export interface LoadOptions {
  /** Every choice follows from it. */
  seed: number;
  /** Base URLs of the deployment's processes; read at each request, so that they may come and go. */
  urls: () => readonly string[];
  /** A key with `keys:admin` and `partner:admin`. */
  adminKey: string;
  hooks: Hooks;
  /** That send at the same time. Default: 8 */
  writers?: number;
  /** Partners that they share. Default: 4 */
  accounts?: number;
  /** Pause of a writer after each step, at most. Default: 20 */
  pauseMs?: number;
}

const SETTLERS = 8;
const SETTLE_PAUSE_MS = 50;
/** A test send that was cut off is known when its record is closed: after its deadline and the grace of a claim. */
const SETTLE_MS = 60_000;
let loads = 0;

/**
 * Mixed load on a deployment of the partner contract: partners, keys, users, endpoints, deposits, withdrawals, test sends and reads, by writers
 * that retry as a good client does. Everything is kept in `journal`.
 *
 *   const load = await Load.prepare({ seed, urls, adminKey, hooks });   // everything is well
 *   load.start();
 *   ...                                                                 // faults
 *   await load.stop();                                                  // everything is well again
 *   await load.settle();
 *   expect(await audit(databaseUrl, load, hooks)).toEqual([]);
 */
export class Load {
  readonly journal = new Journal();
  private running = false;
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly options: LoadOptions,
    /** Begins the name of everything that it makes. */
    readonly name: string,
    readonly accounts: readonly Account[],
    private readonly caller: Caller,
    private readonly writers: readonly Writer[],
    private readonly random: Random,
  ) {}

  /** Makes the partners that the writers act for. A process that is starting is waited for. */
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
    for (let number = 0; number < (options.accounts ?? 4); number++) {
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
    return Object.assign(load, { writers });
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

  /** Begins nothing more, and waits for what was sent. */
  async stop(): Promise<void> {
    this.running = false;
    await this.writing;
  }

  /** Sends what got no answer again, with its key, until each has one. @throws Error when that takes more than a minute */
  async settle(): Promise<void> {
    const open = this.journal.open[Symbol.iterator]();
    const deadline = Date.now() + SETTLE_MS;
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

  /** Sends some writes that were acknowledged once more: each must be answered as it was, which `journal.troubles()` tells. */
  async replay(count: number): Promise<void> {
    const { writes } = this.journal;
    for (let turn = 0; turn < count && writes.length > 0; turn++) {
      const write = this.random.pick(writes);
      write.outcomes.push(await this.caller.send(write));
    }
  }

  /** Also of one that a test that failed left running. */
  async close(): Promise<void> {
    this.running = false;
    await this.caller.close();
    await this.writing;
  }
}
