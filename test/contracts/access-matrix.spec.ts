import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { loadSettings } from '../../src/config/settings.js';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { SCOPES } from '../../src/domain/tenants/access/scope.js';
import { Access, declaredRoutes } from '../../src/http/access/access.js';
import { setUpEdge } from '../../src/http/http.module.js';
import { HttpAdapter } from '../../src/http/server/http.server.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { type DocumentedOperation, documentedOperations, filledPath } from '../support/document.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

/** Each route declares its access, and each operation refuses an invalid key. The remaining rules of access are rules of conformance. */
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

  /** Calls each operation once, with the example of its document as body. */
  const callAll = async (key: string): Promise<[DocumentedOperation, Answer][]> => {
    expect(operations).not.toHaveLength(0);
    return Promise.all(
      operations.map(async (operation): Promise<[DocumentedOperation, Answer]> => [
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

  it('a key with one character changed, one that was never issued, or one that is revoked: 401 invalid_api_key', async () => {
    const last = partner.key.at(-1) === 'a' ? 'b' : 'a';
    const revoked = await createPartner(app.admin);
    await app.admin.delete(`/keys/${revoked.keyId}`);
    for (const key of [partner.key.slice(0, -1) + last, newKeySecret(environment), revoked.key])
      expectAll(await callAll(key), 401, 'invalid_api_key');
  });

  it('a key of the other environment: 401 wrong_environment', async () => {
    const other = newKeySecret(environment === 'live' ? 'sandbox' : 'live');
    expectAll(await callAll(other), 401, 'wrong_environment');
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
    const nest = await NestFactory.create(WithSilence, new HttpAdapter(settings), { logger: false });
    const boot = () => setUpEdge(nest, settings);
    expect(boot).toThrow(/declare no access: SilentController\.read\./);
    expect(boot).toThrow(/take a key and are no @Operation: PlainController\.read\./);
    await nest.close();
  });
});
