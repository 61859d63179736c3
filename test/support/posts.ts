import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Contract } from '../../src/config/environment.js';
import type { Answer, Api } from './api.js';
import type { TestApp } from './app.js';
import { type DocumentedOperation, documentedOperations, filledPath } from './document.js';
import { newTxHash, startMarket, type TestMarket } from './market.js';
import { createPartner, type TestPartner } from './partner.js';
import { Receiver } from './receiver.js';

/** How a POST is tried: with a good body, which is a new one each time, and with one that is not valid. */
export interface PostCase {
  body?: () => object;
  invalid?: object;
  /** Where its answer shows a secret. */
  secret?: (data: any) => string;
}

/** The ids that paths are filled with, by prefix. */
type Ids = Record<string, string>;

let count = 0;

/** Every POST that an app documents, and all it takes to try each with an `Idempotency-Key`. */
export class Posts {
  /** The header's value; `each` changes it. */
  key: string = randomUUID();
  /** Offered by both contracts. */
  private readonly shared: Record<string, PostCase> = {
    createKey: {
      body: () => ({ label: `key ${++count}`, scopes: ['keys:admin'] }),
      invalid: { label: '' },
      secret: (data) => data.secret,
    },
    createPartner: {
      body: () => ({ name: `partner ${++count}` }),
      invalid: {},
      secret: (data) => data.api_key.secret,
    },
    createCampaign: { body: () => ({ name: `campaign ${++count}` }), invalid: { name: 7 } },
    createUser: { body: () => ({ external_id: `user:${++count}` }), invalid: { external_id: null } },
    createWebhook: {
      body: () => ({ url: this.receiver.url, description: `hook ${++count}` }),
      invalid: { url: 'http://127.0.0.1:9999/hook', events: [] },
      secret: (data) => data.secret,
    },
    testWebhook: {},
  };
  /** Offered by the partner contract. */
  private readonly settlements: Record<string, PostCase> = {
    createPosition: {
      body: () => ({ user_id: this.ids['usr'], asset: 'USDC', amount: 1, tx_hash: newTxHash() }),
      invalid: { amount: 0 },
    },
    withdrawPosition: { body: () => ({ amount: 0.01, tx_hash: newTxHash() }), invalid: {} },
  };

  private constructor(
    private readonly market: TestMarket,
    readonly receiver: Receiver,
    readonly operations: DocumentedOperation[],
    private readonly ids: Ids,
    /** A second set of ids, as good as the first. */
    readonly others: Ids,
  ) {}

  static async start(contract: Contract): Promise<Posts> {
    const market = await startMarket(contract);
    const { app, partner } = market;
    const receiver = await Receiver.start();
    const operations = (await documentedOperations(app)).filter(({ method }) => method === 'POST');
    const idsOf = async (): Promise<Ids> => {
      const usr = await market.createUser();
      return {
        ptn: (await createPartner(app.admin)).id,
        wh: (await partner.api.post('/webhooks', { url: receiver.url, events: ['system.status'] })).body.data
          .id,
        usr,
        pos: (await market.deposit(usr, 1000)).id,
      };
    };
    return new Posts(market, receiver, operations, await idsOf(), await idsOf());
  }

  get cases(): Record<string, PostCase> {
    return { ...this.shared, ...(this.app.settings.contract === 'partner' && this.settlements) };
  }

  get app(): TestApp {
    return this.market.app;
  }

  get partner(): TestPartner {
    return this.market.partner;
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await this.market.close();
  }

  operation(id: string): DocumentedOperation {
    return this.operations.find(({ operationId }) => operationId === id)!;
  }

  callerOf({ scopes }: DocumentedOperation): Api {
    if (scopes.includes('partner:read')) return this.partner.api;
    return scopes.includes('write') ? this.market.protocol : this.app.admin;
  }

  send(
    operation: DocumentedOperation,
    body?: object,
    ids: Ids = this.ids,
    api: Api = this.callerOf(operation),
  ): Promise<Answer> {
    return api.post(filledPath(operation, ids), body, { 'idempotency-key': this.key });
  }

  /** Runs `work` for every POST in turn, each with a key of its own. */
  async each(work: (operation: DocumentedOperation, test: PostCase) => Promise<void>): Promise<void> {
    expect(this.operations.length).toBeGreaterThan(0);
    for (const operation of this.operations) {
      this.key = randomUUID();
      await work(operation, this.cases[operation.operationId]!);
    }
  }
}

/** The first answer once more: the same bytes, marked as such, under a request id of its own. */
export function expectReplay(answer: Answer, first: Answer): void {
  expect([answer.status, answer.text]).toEqual([first.status, first.text]);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
  expect(answer.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(answer.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
}

/** A success that is no replay. */
export function expectFirst(answer: Answer): void {
  expect(Math.floor(answer.status / 100)).toBe(2);
  expect(answer.headers.get('idempotency-replayed')).toBeNull();
}
