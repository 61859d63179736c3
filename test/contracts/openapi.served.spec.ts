import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { CONTRACTS } from '../../src/config/deployments.js';
import { Access, declaredRoutes } from '../../src/http/access/access.js';
import { setUpEdge } from '../../src/http/http.module.js';
import { HttpAdapter } from '../../src/http/server/http.server.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';

/** Scopes of each audience's keys. */
const AUDIENCES: Record<string, readonly string[]> = {
  partner: ['partner:read', 'read'],
  general: ['read', 'write'],
  administration: ['keys:admin', 'partner:admin'],
};

describe.each(CONTRACTS)('a running %s deployment', (contract) => {
  let app: TestApp;
  let whole: any;
  const documents = new Map<string, any>();
  const read = async (path: string): Promise<any> => (await fetch(app.url + path)).json();

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    whole = await read('/openapi.json');
    for (const name of Object.keys(AUDIENCES)) documents.set(name, await read(`/docs/${name}.json`));
  });
  afterAll(() => app.close());

  const operationsOf = (document: any): [name: string, operation: any][] =>
    Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]): [string, any] => [`${method} ${path}`, operation]),
    );

  it('A running deployment serves the published document, with a relative server URL', () => {
    const published = JSON.parse(readFileSync(`docs/openapi/${contract}.json`, 'utf8'));
    expect(whole).toEqual({ ...published, servers: [{ url: '/api/v1' }] });
  });

  it('A running deployment documents every route but those of its health, which alone need no key', () => {
    const routes = declaredRoutes(app.application as unknown as INestApplication);
    const open = routes.filter(({ rule }) => rule === 'public').map(({ handler }) => handler);
    expect(open).toEqual(['HealthController.live', 'HealthController.ready']);
    const guarded = routes.filter(({ rule }) => rule !== 'public');
    expect(guarded.filter(({ rule }) => rule === undefined)).toEqual([]);
    expect(guarded.map(({ handler }) => handler.split('.')[1]).sort()).toEqual(
      operationsOf(whole)
        .map(([, { operationId }]) => operationId)
        .sort(),
    );
  });

  it('A running deployment does not start with a route without declared access, or with a key but without @Operation, and names it', async () => {
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
    const { settings } = app;
    class WithSilence {}
    const controllers = [SilentController, PlainController];
    Module({ imports: [AppModule.with(settings, silentLogger())], controllers })(WithSilence);
    const nest = await NestFactory.create(WithSilence, new HttpAdapter(settings), { logger: false });
    const boot = () => setUpEdge(nest, settings);
    expect(boot).toThrow(/declare no access: SilentController\.read\./);
    expect(boot).toThrow(/take a key but have no @Operation: PlainController\.read\./);
    await nest.close();
  });

  describe('and its documents by audience', () => {
    it('The documents by audience have each operation exactly where one of its scopes is, as in the whole document, and leave none out', () => {
      for (const [name, scopes] of Object.entries(AUDIENCES)) {
        const expected = operationsOf(whole).filter(([, operation]) =>
          operation['x-required-scopes'].some((scope: string) => scopes.includes(scope)),
        );
        expect(expected.length).toBeGreaterThan(5);
        expect(Object.fromEntries(operationsOf(documents.get(name)))).toEqual(Object.fromEntries(expected));
      }
      const shown = new Set([...documents.values()].flatMap(operationsOf).map(([name]) => name));
      expect(operationsOf(whole).filter(([name]) => !shown.has(name))).toEqual([]);
    });

    it('The documents by audience have the tags and components that they use, and no others', () => {
      for (const document of documents.values()) {
        const text = JSON.stringify(document);
        for (const [kind, parts] of Object.entries<object>(document.components)) {
          if (kind === 'securitySchemes') continue;
          expect(whole.components[kind]).toMatchObject(parts);
          for (const name of Object.keys(parts)) expect(text).toContain(`"#/components/${kind}/${name}"`);
        }
        for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
          expect([kind, name, name in document.components[kind]]).toEqual([kind, name, true]);
        expect(new Set(document.tags.map(({ name }: any) => name))).toEqual(
          new Set(operationsOf(document).flatMap(([, { tags }]) => tags)),
        );
      }
    });

    it('The documents by audience have the groups with a contract’s own operations first, webhooks and reports before sessions, audit and moves', () => {
      for (const document of [whole, ...documents.values()]) {
        const isListed = (tag: string): boolean =>
          operationsOf(document).some(([, { tags, ...rest }]) => tags.includes(tag) && !rest['x-extension']);
        const groups: string[] = document.tags.map(({ name }: any) => name);
        expect(groups.map(isListed)).toEqual(groups.map(isListed).toSorted((a, b) => Number(b) - Number(a)));
      }
      const groups: string[] = documents.get('partner').tags.map(({ name }: any) => name);
      const lastOf = (names: string[]) => Math.max(...names.map((name) => groups.indexOf(name)));
      for (const later of ['Sessions', 'Audit log', 'Moves'])
        expect(groups.indexOf(later)).toBeGreaterThan(lastOf(['Reports', 'Webhooks', 'End-users']));
    });

    it('The documents by audience have an introduction of at most twelve lines, with links to operations of the audience', () => {
      const titles = {
        partner: "A partner's key",
        general: 'A general key',
        administration: 'Administration',
      };
      for (const [name, document] of documents) {
        const text: string = document.info.description;
        const shown = text
          .replaceAll(/<\/summary>[^]*?<\/details>/g, '')
          .split('\n')
          .filter(Boolean);
        expect(shown.length).toBeLessThanOrEqual(12);
        const links = [...text.matchAll(/\]\(\?urls\.primaryName=([^#)]+)#\/([^/)]+)\/(\w+)\)/g)];
        expect(links.length).toBeGreaterThan(2);
        for (const [, title, tag, id] of links) {
          expect(decodeURIComponent(title!)).toBe(titles[name as keyof typeof titles]);
          const [, { tags }] = operationsOf(document).find(([, { operationId }]) => operationId === id)!;
          expect(tags).toEqual([decodeURIComponent(tag!)]);
        }
      }
    });

    it('The documents by audience have the events that the audience receives', () => {
      const eventsIn = (name: string): string[] => Object.keys(documents.get(name).webhooks ?? {});
      expect(eventsIn('partner')).toEqual(Object.keys(whole.webhooks));
      expect(eventsIn('administration')).toEqual(['system.status']);
      expect(eventsIn('general')).toEqual([]);
    });

    it('The documentation page offers a choice of documents by audience, starting with the partner’s', async () => {
      const script = await (await fetch(`${app.url}/docs/swagger-ui-init.js`)).text();
      const choice: { name: string; url: string }[] = JSON.parse(/"urls": (\[[^\]]*\])/.exec(script)![1]!);
      expect(script).toContain(`"urls.primaryName": "A partner's key"`);
      const chosen: [string, any][] = [];
      for (const { name, url } of choice)
        chosen.push([name, await read(new URL(url, `${app.url}/docs`).pathname)]);
      expect(chosen).toEqual([
        ["A partner's key", documents.get('partner')],
        ['A general key', documents.get('general')],
        ['Administration', documents.get('administration')],
        ['Everything', whole],
      ]);
    });
  });
});
