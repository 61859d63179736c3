import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Contract } from '../../src/config/deployments.js';
import { SCENARIOS } from '../../src/domain/markets/simulation/simulated-market.js';
import { acceptedBody, secretIn } from './accepted-body.js';
import type { Answer, Api } from './api.js';
import { shortMarkets, startApp, type TestApp } from './app.js';
import { contradict } from './contradict.js';
import { type DocumentedOperation, documentedOperations, filledPath } from './document.js';
import { dataOf } from './fields.js';
import { openInvoice } from './invoice.js';
import { newTxHash, startMarket } from './market.js';
import { orderMove, receiveContradicted, receiveDeposit, receiveGain } from './ordered-move.js';
import { createPartner, type TestPartner } from './partner.js';
import { Receiver } from './receiver.js';
import { untilSettled } from './settled.js';
import { change } from './change.js';

/** What to try a POST with: a valid body, new each time. */
export interface PostCase {
  body?: () => object;
  /** The secret in its answer. */
  secret?: ((data: any) => string) | undefined;
  /** For an operation that happens once to a record, whatever the key: ids of records to which it has not happened. */
  fresh?: () => Promise<Ids>;
}

/** Ids for paths, by prefix. */
type Ids = Record<string, string>;

let count = 0;

/** The amount is a little less than the thousand that was ordered. */
const report = (): object => ({ tx_hash: newTxHash(), amount: 999 - ++count / 1000 });

const withdrawal = (): object => ({ asset: 'USDC', amount: ++count / 1000 });

/** The callers: a partner, another partner whose records may be removed, and the key that reports settled transfers. */
interface Stage {
  app: TestApp;
  partner: TestPartner;
  resettable: TestPartner;
  protocol: Api;
  /** @returns the id of a new position of a user */
  deposit(userId: string): Promise<string>;
  /** @returns ids of a new position whose deposit was received, and of the move that puts it into its vault */
  receive(userId: string): Promise<Ids>;
  /** @returns the id of a withdrawal that an executor is to pay, of a new user */
  withdraw(): Promise<Ids>;
  close: () => Promise<void>;
}

async function liveStage(): Promise<Stage> {
  const market = await startMarket('partner', {
    env: { SETTLEMENT: 'reported' },
    // Amounts are those of the document's examples, whatever the funds are worth.
    adjust: ({ routing }) => change(routing, { maxDailyDeviation: 1, maxMonthlyDeviation: 1 }),
  });
  const { app, partner, protocol } = market;
  const deposit = async (userId: string): Promise<string> => (await market.deposit(userId, 1000)).id;
  const receive = (userId: string): Promise<Ids> => receiveDeposit(protocol, userId);
  const withdraw = async (): Promise<Ids> => {
    const usr = dataOf(await partner.api.post('/users', { external_id: `payee:${++count}` }), 201).id;
    await deposit(usr);
    const input = { asset: 'USDC', amount: 10 };
    return { wdr: dataOf(await partner.api.post(`/users/${usr}/withdrawals`, input), 201).id };
  };
  return {
    ...{ app, partner, resettable: partner, protocol },
    ...{ deposit, receive, withdraw, close: () => market.close() },
  };
}

/** Each partner has its own market, which only its own requests drive. */
async function simulatedStage(): Promise<Stage> {
  const app = await startApp('sandbox', {}, undefined, shortMarkets);
  const [partner, resettable] = [await createPartner(app.admin), await createPartner(app.admin)];
  const deposit = async (userId: string): Promise<string> => {
    const input = { user_id: userId, asset: 'USDC', amount: 1000 };
    return (await partner.api.post('/positions', input)).body.data.id;
  };
  const receive = (): Promise<Ids> => Promise.reject(new Error('Nothing is reported in the sandbox.'));
  return {
    ...{ app, partner, resettable, protocol: app.admin },
    ...{ deposit, receive, withdraw: receive, close: () => app.close() },
  };
}

/** Every POST that an app documents, and what is needed to try each with an `Idempotency-Key`. */
export class Posts {
  /** The header's value; `each` changes it. */
  key: string = randomUUID();
  /** Operations of both contracts whose example does not fit these records. */
  private readonly shared: Record<string, PostCase> = {
    settleInvoice: {
      fresh: async () => ({ ptn: this.partner.id, inv: await openInvoice(this.app, this.partner.id) }),
    },
    createKey: { body: () => ({ label: `key ${++count}`, scopes: ['keys:admin'] }) },
    createSession: { body: () => ({ scopes: ['partner:read'], expires_in: ++count }) },
    // A checked URL has a secret, but no endpoint.
    checkWebhook: { secret: undefined },
    rotateWebhookSecret: { body: () => ({ previous_expires_in: (++count % 1000) + 1 }) },
  };
  private readonly settlements: Record<string, PostCase> = {
    createWithdrawal: { body: withdrawal },
    takeWithdrawal: { fresh: () => this.stage.withdraw() },
    reportWithdrawalPaid: {
      body: () => ({ tx_hash: newTxHash() }),
      fresh: () => this.stage.withdraw(),
    },
    reportWithdrawalFailed: { fresh: () => this.stage.withdraw() },
    withdrawPosition: { body: () => ({ amount: 0.01, tx_hash: newTxHash() }) },
    resolveSettlement: {
      body: () => ({ action: 'accept', note: `note ${++count}` }),
      fresh: () => this.contradicted(),
    },
    allocatePosition: { body: report, fresh: () => this.stage.receive(this.ids['usr']!) },
    takeMove: { body: () => ({ batch: ++count % 2 === 0 }), fresh: () => this.ordered() },
    reportMoveRedeemed: { body: report, fresh: () => this.ordered() },
    reportMoveSettled: { body: report, fresh: () => this.stage.receive(this.ids['usr']!) },
    reviewMove: { fresh: () => receiveGain(this.stage.protocol, this.ids['usr']!) },
    resolveMove: { fresh: () => this.contradictedMove() },
    reportMoveFailed: { fresh: () => this.ordered() },
  };

  private readonly simulations: Record<string, PostCase> = {
    createPosition: { body: () => ({ user_id: this.ids['usr'], asset: 'USDC', amount: ++count }) },
    withdrawPosition: { body: () => ({ amount: ++count / 1000 }) },
    createWithdrawal: { body: withdrawal },
    advanceSimulationClock: { body: () => ({ hours: (++count % 20) + 1 }) },
    bendSimulatedMarket: { body: () => ({ scenario: SCENARIOS[++count % SCENARIOS.length] }) },
    simulateEvent: { body: () => ({ type: 'yield.threshold', data: { apy: ++count } }) },
  };

  private constructor(
    private readonly stage: Stage,
    readonly receiver: Receiver,
    readonly operations: DocumentedOperation[],
    private readonly ids: Ids,
    /** A second set of ids, as valid as the first. */
    readonly others: Ids,
  ) {}

  static async start(contract: Contract): Promise<Posts> {
    const stage = await (contract === 'partner' ? liveStage() : simulatedStage());
    const { app, partner } = stage;
    const receiver = await Receiver.start();
    const operations = (await documentedOperations(app)).filter(
      ({ method, happensOnce }) => method === 'POST' && happensOnce,
    );
    const idsOf = async (): Promise<Ids> => {
      const usr = (await partner.api.post('/users', { external_id: `posts:${++count}` })).body.data.id;
      return {
        ptn: (await createPartner(app.admin)).id,
        key: (await app.admin.post('/keys', { label: 'rotated', scopes: ['keys:admin'] })).body.data.id,
        wh: (await partner.api.post('/webhooks', { url: receiver.url, events: ['system.status'] })).body.data
          .id,
        alert: (await app.admin.post('/alerts/webhooks', { url: receiver.url })).body.data.id,
        usr,
        inv: await openInvoice(app, partner.id),
        pos: await stage.deposit(usr),
        ...(contract === 'partner' && { set: await contradict(app, await stage.deposit(usr)) }),
        ...(contract === 'partner' && { mov: (await stage.receive(usr))['mov']! }),
        ...(contract === 'partner' && (await stage.withdraw())),
      };
    };
    const ids: [Ids, Ids] = [await idsOf(), await idsOf()];
    // Events of the deposits are sent before a test registers its endpoints.
    await untilSettled(app);
    return new Posts(stage, receiver, operations, ...ids);
  }

  /** By operation id: as the document has it, and as these records need it. */
  get cases(): Record<string, PostCase> {
    const cases: Record<string, PostCase> = {
      ...this.shared,
      ...(this.app.settings.contract === 'partner' ? this.settlements : this.simulations),
    };
    return Object.fromEntries(
      this.operations.map((operation) => [
        operation.operationId,
        { ...this.documented(operation), ...cases[operation.operationId] },
      ]),
    );
  }

  private documented(operation: DocumentedOperation): PostCase {
    const secret = secretIn(operation);
    return {
      ...(operation.body && {
        body: () => acceptedBody(operation, { ids: this.ids, url: this.receiver.url })!,
      }),
      ...(secret && { secret }),
    };
  }

  get app(): TestApp {
    return this.stage.app;
  }

  get partner(): TestPartner {
    return this.stage.partner;
  }

  get resettable(): TestPartner {
    return this.stage.resettable;
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await this.stage.close();
  }

  private async contradicted(): Promise<Ids> {
    return { set: await contradict(this.app, await this.stage.deposit(this.ids['usr']!)) };
  }

  private contradictedMove(): Promise<Ids> {
    return receiveContradicted(this.app, this.ids['usr']!);
  }

  private async ordered(): Promise<Ids> {
    const pos = await this.stage.deposit(this.ids['usr']!);
    return { pos, mov: await orderMove(this.app, pos) };
  }

  operation(id: string): DocumentedOperation {
    return this.operations.find(({ operationId }) => operationId === id)!;
  }

  callerOf({ operationId, scopes }: DocumentedOperation): Api {
    // A reset has an account of its own, because it removes what the others need.
    if (operationId === 'resetSimulation') return this.stage.resettable.api;
    if (scopes.includes('partner:read')) return this.partner.api;
    return scopes.includes('write') ? this.stage.protocol : this.app.admin;
  }

  async send(
    operation: DocumentedOperation,
    body?: object,
    ids: Ids = this.ids,
    api: Api = this.callerOf(operation),
  ): Promise<Answer> {
    // One rotation at a time: the one of the test before has ended by now.
    if (operation.operationId === 'rotateWebhookSecret')
      await this.app.sql('UPDATE webhook_endpoints SET previous_sealed = NULL, previous_expires_at = NULL');
    return api.post(filledPath(operation, ids), body, { 'idempotency-key': this.key });
  }

  /** Runs `work` for every POST in turn, each with its own Idempotency-Key. */
  async each(work: (operation: DocumentedOperation, test: PostCase) => Promise<void>): Promise<void> {
    expect(this.operations.length).toBeGreaterThan(0);
    for (const operation of this.operations) {
      this.key = randomUUID();
      const test = this.cases[operation.operationId]!;
      change(this.ids, (await test.fresh?.()) ?? {});
      await work(operation, test);
    }
  }
}

/** Checks a replay: the bytes of the first answer, marked as a replay, with a new request id. */
export function expectReplay(answer: Answer, first: Answer): void {
  expect([answer.status, answer.text]).toEqual([first.status, first.text]);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
  expect(answer.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(answer.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
}

/** Checks a success that is not a replay. */
export function expectFirst(answer: Answer): void {
  expect(Math.floor(answer.status / 100)).toBe(2);
  expect(answer.headers.get('idempotency-replayed')).toBeNull();
}
