import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CONTRACTS } from '../../src/config/environment.js';
import { COMPILED_QUICKLY } from '../support/answer-check.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';

/** Scopes of each audience's keys. */
const AUDIENCES: Record<string, readonly string[]> = {
  partner: ['partner:read', 'read'],
  general: ['read', 'write'],
  administration: ['keys:admin', 'partner:admin'],
};

describe.each(CONTRACTS)('the documents of the %s contract by audience', (contract) => {
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

  it('have each operation exactly where one of its scopes is, as the whole document has it', () => {
    for (const [name, scopes] of Object.entries(AUDIENCES)) {
      const expected = operationsOf(whole).filter(([, operation]) =>
        operation['x-required-scopes'].some((scope: string) => scopes.includes(scope)),
      );
      expect(expected.length).toBeGreaterThan(5);
      expect(Object.fromEntries(operationsOf(documents.get(name)))).toEqual(Object.fromEntries(expected));
    }
  });

  it('leave no operation out', () => {
    const shown = new Set([...documents.values()].flatMap(operationsOf).map(([name]) => name));
    expect(operationsOf(whole).filter(([name]) => !shown.has(name))).toEqual([]);
  });

  it('have the tags and components that they use, and no others', () => {
    for (const document of documents.values()) {
      const text = JSON.stringify(document);
      for (const [kind, parts] of Object.entries<object>(document.components)) {
        if (kind === 'securitySchemes') continue;
        expect(whole.components[kind]).toMatchObject(parts);
        for (const name of Object.keys(parts)) expect(text).toContain(`"#/components/${kind}/${name}"`);
      }
      for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
        expect([kind, name, name in document.components[kind]]).toEqual([kind, name, true]);
      const sent = Object.values<any>(document.webhooks ?? {}).map(({ post }) => post);
      const named = [...operationsOf(document).map(([, operation]) => operation), ...sent];
      expect(new Set(document.tags.map(({ name }: any) => name))).toEqual(
        new Set(named.flatMap(({ tags }) => tags)),
      );
      const ajv = new Ajv2020({ validateFormats: false, strict: false, ...COMPILED_QUICKLY });
      ajv.addSchema({ ...document, $id: 'openapi' }, 'openapi', false, false);
      for (const name of Object.keys(document.components.schemas))
        expect(() => ajv.compile({ $ref: `openapi#/components/schemas/${name}` })).not.toThrow();
    }
  });

  it('have the events that the audience receives', () => {
    const eventsIn = (name: string): string[] => Object.keys(documents.get(name).webhooks ?? {});
    expect(eventsIn('partner')).toEqual(Object.keys(whole.webhooks));
    expect(eventsIn('administration')).toEqual(['system.status']);
    expect(eventsIn('general')).toEqual([]);
  });

  it('are a choice on the page, whose first is what a partner may call', async () => {
    const script = await (await fetch(`${app.url}/docs/swagger-ui-init.js`)).text();
    const choice: { name: string; url: string }[] = JSON.parse(/urls: (\[.*?\])/.exec(script)![1]!);
    expect(choice.map(({ name }) => name)).toEqual([
      "A partner's key",
      'A general key',
      'Administration',
      'Everything',
    ]);
    expect(script).toContain(`'urls.primaryName': "A partner's key"`);
    for (const { name, url } of choice) {
      const path = new URL(url, `${app.url}/docs/`).pathname;
      expect([name, (await read(path)).openapi]).toEqual([name, '3.1.0']);
    }
    expect(await read(new URL(choice.at(-1)!.url, `${app.url}/docs/`).pathname)).toEqual(whole);
  });
});
