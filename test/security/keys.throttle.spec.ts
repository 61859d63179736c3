import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import type { Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { PublishedDocument } from '../support/published-document.js';
import { keysLookedUp, statementsDuring } from '../support/statements.js';

const LIMIT = 5;

/** The limit of failed authentications of an address. */
describe.each(eitherContract('sandbox'))('%s contract: failed authentications', (contract) => {
  const environment = schemaOf(contract);
  let app: TestApp;
  let stranger: Api;

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    app = await startApp(contract, { AUTH_FAILURES_PER_MINUTE: String(LIMIT), ...env });
    stranger = app.admin.as(undefined);
    // From here on this key is known as valid.
    await app.admin.get('/keys');
  };
  const present = (authorization: string, headers: Record<string, string> = {}): Promise<Answer> =>
    stranger.get('/keys', { authorization, ...headers });
  const unknown = (headers?: Record<string, string>): Promise<Answer> =>
    present(`Bearer ${newKeySecret(environment)}`, headers);
  const expectThrottled = (answer: Answer): void => {
    expectError(answer, 429, 'rate_limited');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  };

  describe('from one address', () => {
    beforeAll(() => start());
    afterAll(() => app.close());

    it('are not counted where no key was sent', async () => {
      for (let turn = 0; turn < 3 * LIMIT; turn++) {
        expectError(await stranger.get('/keys'), 401, 'missing_api_key');
        expectError(await present('Bearer '), 401, 'missing_api_key');
      }
    });

    /** Credentials that are refused by their form alone. */
    const malformed = (): string[] => {
      const good = newKeySecret(environment);
      return [
        `Bearer ${good.slice(0, -1)}${good.endsWith('a') ? 'b' : 'a'}`,
        `Bearer ${newKeySecret(environment === 'live' ? 'sandbox' : 'live')}`,
        'Bearer vl_live_mistyped',
        `Basic ${btoa('user:password')}`,
      ];
    };

    it('are not counted where the database need not be asked: they are answered 401 for ever', async () => {
      for (let turn = 0; turn < 3; turn++)
        for (const authorization of malformed()) expect((await present(authorization)).status).toBe(401);
    });

    it('are answered 401 up to the limit, be a key unknown or revoked', async () => {
      const { keyId, key } = await createPartner(app.admin);
      await app.admin.delete(`/keys/${keyId}`);
      expect((await present(`Bearer ${key}`)).status).toBe(401);
      for (let turn = 1; turn < LIMIT; turn++) expect((await unknown()).status).toBe(401);
    });

    it('are answered 429 from there on, without a question to the database about any of them', async () => {
      const asked = await statementsDuring(async () => {
        for (let turn = 0; turn < 20; turn++) expectThrottled(await unknown());
      });
      expect(keysLookedUp(asked)).toBe(0);
      for (const authorization of malformed()) expect((await present(authorization)).status).toBe(401);
    });

    it('lock no key out that authenticated lately; the database says of each request whether it still may', async () => {
      const asked = await statementsDuring(async () => {
        for (let turn = 0; turn < 3; turn++) expect((await app.admin.get('/keys')).status).toBe(200);
      });
      expect(keysLookedUp(asked)).toBe(3);
    });

    it('still say that no key was sent', async () => {
      expectError(await stranger.get('/keys'), 401, 'missing_api_key');
    });

    it('do not hide what needs no key', async () => {
      expect((await fetch(`${app.url}/health/ready`)).status).toBe(200);
      expectError(await stranger.get('/nowhere'), 404, 'route_not_found');
    });

    it('are in the document: every operation may answer 429, with Retry-After', () => {
      const document = new PublishedDocument(contract);
      const told = (operation: any): boolean =>
        document
          .responsesOf(operation)
          .some(([status, { headers }]) => status === '429' && 'Retry-After' in headers);
      expect(document.except(told)).toEqual([]);
    });
  });

  describe('at once', () => {
    beforeAll(() => start());
    afterAll(() => app.close());

    it('are as many as the limit, and so are the questions to the database', async () => {
      const answers: Answer[] = [];
      const asked = await statementsDuring(async () => {
        answers.push(...(await Promise.all(Array.from({ length: 60 }, () => unknown()))));
      });
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(LIMIT);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - LIMIT);
      expect(keysLookedUp(asked)).toBe(LIMIT);
    });
  });

  describe('behind no proxy', () => {
    beforeAll(() => start());
    afterAll(() => app.close());

    it('are counted by the connection: what a caller says of itself changes nothing', async () => {
      for (let turn = 0; turn < LIMIT; turn++) {
        expect((await unknown({ 'x-forwarded-for': `198.51.100.${turn}` })).status).toBe(401);
      }
      expectThrottled(await unknown({ 'x-forwarded-for': '198.51.100.99' }));
      expectThrottled(await unknown({ forwarded: 'for=198.51.100.99', 'x-real-ip': '198.51.100.99' }));
    });
  });

  describe('behind a trusted proxy', () => {
    beforeAll(() => start({ TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' }));
    afterAll(() => app.close());

    const from = (address: string): Promise<Answer> => unknown({ 'x-forwarded-for': address });
    const exhaust = async (address: (turn: number) => string): Promise<void> => {
      for (let turn = 0; turn < LIMIT; turn++) expect((await from(address(turn))).status).toBe(401);
    };

    it('are counted by the address that it names: one does not lock out another', async () => {
      await exhaust(() => '203.0.113.1');
      expectThrottled(await from('203.0.113.1'));
      expect((await from('203.0.113.2')).status).toBe(401);
    });

    it('are counted by the last address that is no proxy of ours: what stands before it is hearsay', async () => {
      await exhaust((turn) => `198.51.100.${turn}, 203.0.113.3, 10.0.0.7`);
      expectThrottled(await from('198.51.100.77, 203.0.113.3, 10.0.0.8'));
      expectThrottled(await from('203.0.113.3'));
    });

    it('of IPv6 are counted by network: all of a caller’s addresses are one', async () => {
      await exhaust((turn) => `2001:db8:7:7:${turn}::1`);
      expectThrottled(await from('2001:db8:7:7:ffff:ffff:ffff:ffff'));
      expect((await from('2001:db8:7:8::1')).status).toBe(401);
    });

    it('are counted by the proxy’s own address where it names none', async () => {
      await exhaust((turn) => ['unknown', '_hidden', '203.0.113.9:4711', '', 'x'.repeat(1000)][turn]!);
      expectThrottled(await from('nonsense'));
      expectThrottled(await unknown());
    });
  });
});
