import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Contract } from '../../src/config/environment.js';
import type { Answer, Api } from './api.js';
import { startApp, type TestApp } from './app.js';
import { type DocumentedOperation, documentedOperations, filledPath } from './document.js';
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
  readonly cases: Record<string, PostCase> = {
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

  private constructor(
    readonly app: TestApp,
    readonly receiver: Receiver,
    readonly partner: TestPartner,
    readonly operations: DocumentedOperation[],
    private readonly ids: Ids,
    /** A second set of ids, as good as the first. */
    readonly others: Ids,
  ) {}

  static async start(contract: Contract): Promise<Posts> {
    const app = await startApp(contract);
    const receiver = await Receiver.start();
    const partner = await createPartner(app.admin);
    const operations = (await documentedOperations(app)).filter(({ method }) => method === 'POST');
    const idsOf = async (): Promise<Ids> => ({
      ptn: (await createPartner(app.admin)).id,
      wh: (await partner.api.post('/webhooks', { url: receiver.url })).body.data.id,
    });
    return new Posts(app, receiver, partner, operations, await idsOf(), await idsOf());
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await this.app.close();
  }

  operation(id: string): DocumentedOperation {
    return this.operations.find(({ operationId }) => operationId === id)!;
  }

  callerOf({ scopes }: DocumentedOperation): Api {
    return scopes.includes('partner:read') ? this.partner.api : this.app.admin;
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
