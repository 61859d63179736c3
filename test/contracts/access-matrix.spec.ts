import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { loadSettings } from '../../src/config/settings.js';
import { SCOPES } from '../../src/domain/tenants/access/scope.js';
import { Access, declaredRoutes } from '../../src/http/access/access.js';
import { setUpEdge } from '../../src/http/http.module.js';
import { HttpAdapter } from '../../src/http/server/http.server.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import { startApp, type TestApp } from '../support/app.js';
import { type DocumentedOperation, documentedOperations } from '../support/document.js';

/** Each route declares its access, and each operation refuses an invalid key. The remaining rules of access are rules of conformance. */
describe.each(['partner', 'sandbox'] as const)('%s contract: declared access', (contract) => {
  let app: TestApp;
  let operations: DocumentedOperation[];

  beforeAll(async () => {
    app = await startApp(contract);
    operations = await documentedOperations(app);
  });
  afterAll(() => app.close());

  it('covers every route, each documented with the scopes that admit it', () => {
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

  it('stops the start for a route without it, or with a key but without @Operation, and names the route', async () => {
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
