import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { loadSettings } from '../../src/config/settings.js';
import { newKeySecret } from '../../src/domain/access/key-secret.js';
import { SCOPES } from '../../src/domain/access/scope.js';
import { Access } from '../../src/http/access/access.js';
import { declaredRoutes } from '../../src/http/access/declared-access.js';
import { setUpEdge } from '../../src/http/edge.js';
import { ServerAdapter } from '../../src/http/request/server.adapter.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { type DocumentedOperation, documentedOperations, filledPath } from '../support/document.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

/** Every operation that the running app documents, called by everybody who must not get through. */
describe.each(['partner', 'sandbox'] as const)('%s contract: who may call what', (contract) => {
  const environment = contract === 'partner' ? 'live' : 'sandbox';
  let app: TestApp;
  let partner: TestPartner;
  let operations: DocumentedOperation[];

  beforeAll(async () => {
    app = await startApp(contract);
    partner = await createPartner(app.admin);
    operations = await documentedOperations(app);
  });
  afterAll(() => app.close());

  const newKey = async (scopes: string[], partnerId?: string): Promise<string> => {
    const { body } = await app.admin.post('/keys', { label: 'matrix', scopes, partner_id: partnerId });
    return body.data.secret;
  };

  /** Calls each operation once, with the document's own example as body. */
  const callAll = async (
    key: string | undefined,
    some: DocumentedOperation[] = operations,
  ): Promise<[DocumentedOperation, Answer][]> => {
    expect(some).not.toHaveLength(0);
    return Promise.all(
      some.map(async (operation): Promise<[DocumentedOperation, Answer]> => [
        operation,
        await app.admin.as(key).send(operation.method, filledPath(operation), operation.example),
      ]),
    );
  };

  const expectAll = (answers: [DocumentedOperation, Answer][], status: number, code: string): void => {
    const told = (name: string, what: string): string => `${name}: ${what}`;
    expect(
      answers.map(([{ name }, { status, body }]) => told(name, `${status} ${body?.error?.code}`)),
    ).toEqual(answers.map(([{ name }]) => told(name, `${status} ${code}`)));
    answers.forEach(([, answer]) => expectError(answer, status, code));
  };

  it('documents every route, and each with the scopes that admit it', () => {
    const routes = declaredRoutes(app.application as unknown as INestApplication);
    const open = routes.filter(({ rule }) => rule === 'public').map(({ handler }) => handler);
    expect(open).toEqual(['HealthController.live', 'HealthController.ready']);
    const guarded = routes.filter(({ rule }) => rule !== 'public');
    expect(guarded.filter(({ rule }) => rule === undefined)).toEqual([]);
    expect(guarded.map(({ handler }) => handler.split('.')[1]).sort()).toEqual(
      operations.map(({ operationId }) => operationId).sort(),
    );
    for (const { name, scopes } of operations) {
      expect([
        name,
        scopes.length > 0,
        scopes.every((scope) => (SCOPES as readonly string[]).includes(scope)),
      ]).toEqual([name, true, true]);
    }
  });

  it('no key: 401 missing_api_key', async () => {
    expectAll(await callAll(undefined), 401, 'missing_api_key');
  });

  it('a key with one character changed: 401 invalid_api_key', async () => {
    const last = partner.key.at(-1) === 'a' ? 'b' : 'a';
    expectAll(await callAll(partner.key.slice(0, -1) + last), 401, 'invalid_api_key');
  });

  it('a well-formed key with the right checksum that was never issued: 401 invalid_api_key', async () => {
    expectAll(await callAll(newKeySecret(environment)), 401, 'invalid_api_key');
  });

  it('a revoked key: 401 invalid_api_key', async () => {
    const revoked = await createPartner(app.admin);
    await app.admin.delete(`/keys/${revoked.keyId}`);
    expectAll(await callAll(revoked.key), 401, 'invalid_api_key');
  });

  it('a key of the other environment: 401 wrong_environment', async () => {
    const other = newKeySecret(environment === 'live' ? 'sandbox' : 'live');
    expectAll(await callAll(other), 401, 'wrong_environment');
  });

  it('a key with every scope but those that would do: 403 insufficient_scope, which names them', async () => {
    const bound = await newKey(['read'], partner.id);
    for (const operation of operations.filter(({ scopes }) => scopes.length < SCOPES.length)) {
      const others = SCOPES.filter((scope) => scope !== 'partner:read' && !operation.scopes.includes(scope));
      const [called] = await callAll(operation.partnerOnly ? bound : await newKey(others), [operation]);
      expectAll([called!], 403, 'insufficient_scope');
      for (const scope of operation.scopes) expect(called![1].body.error.message).toContain(scope);
    }
  });

  it('a key that is not bound, whatever its scopes, on what a partner does: 403 partner_key_required', async () => {
    const unbound = await newKey(SCOPES.filter((scope) => scope !== 'partner:read'));
    const partnerOnly = operations.filter((operation) => operation.partnerOnly);
    expectAll(await callAll(unbound, partnerOnly), 403, 'partner_key_required');
  });

  it("a partner's own key on what operators and back ends do, its own terms and keys included: 403 insufficient_scope", async () => {
    const others = operations.filter(
      ({ scopes }) => !scopes.some((scope) => /^(partner:)?read$/.test(scope)),
    );
    expectAll(await callAll(partner.key, others), 403, 'insufficient_scope');
  });

  it('the right key reads every list, and gets 404 not_found for ids that nobody has', async () => {
    const withIds = operations.filter(({ path }) => /\{(id|campaignId)\}/.test(path));
    const reads = operations.filter(({ path, method }) => method === 'GET' && !path.includes('{'));
    const unbound = await newKey(SCOPES.filter((scope) => scope !== 'partner:read'));
    for (const partnerKey of [true, false]) {
      const own = (some: DocumentedOperation[]) =>
        some.filter(({ scopes }) => scopes.includes('partner:read') === partnerKey);
      const key = partnerKey ? partner.key : unbound;
      expectAll(await callAll(key, own(withIds)), 404, 'not_found');
      for (const [{ name }, { status }] of await callAll(key, own(reads)))
        expect([name, status]).toEqual([name, 200]);
    }
  });

  it('refuses to boot with a route that says nothing about access, or takes a key and is no operation, and names it', async () => {
    @Controller('silent')
    class SilentController {
      @Get() read(): string {
        return 'anything';
      }
    }
    @Controller('plain')
    @Access({ scopes: ['read'] })
    class PlainController {
      @Get() read(): string {
        return 'anything';
      }
    }
    const settings = loadSettings({
      CONTRACT: contract,
      DATABASE_URL: app.database.url,
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      LOG_LEVEL: 'silent',
    });
    const log = silentLogger();
    class WithSilence {}
    const controllers = [SilentController, PlainController];
    Module({ imports: [AppModule.with(settings, log)], controllers })(WithSilence);
    const adapter = new ServerAdapter(settings);
    const nest = await NestFactory.create(WithSilence, adapter, { logger: false });
    const boot = () => setUpEdge(nest, adapter, settings);
    expect(boot).toThrow(/declare no access: SilentController\.read\./);
    expect(boot).toThrow(/take a key and are no @Operation: PlainController\.read\./);
    await nest.close();
  });
});
