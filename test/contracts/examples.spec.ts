import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withDomain } from '../../src/cli/context.js';
import { createDemoAccount } from '../../src/cli/demo-account.js';
import { createDemoOrders } from '../../src/cli/demo-orders.js';
import { type DemoPartner, createDemoPartner } from '../../src/cli/demo-partner.js';
import { CONTRACTS } from '../../src/config/deployments.js';
import { loadSettings } from '../../src/config/settings.js';
import { startApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { PublishedDocument } from '../support/published-document.js';
import { SECRETS_KEY } from '../support/secrets-key.js';

/** Age of the live demo's positions, which `npm start` makes 90 days old: a month ends in it. */
const DAYS = 40;

/** What `npm start` serves to somebody who tries it for the first time. */
describe.each(CONTRACTS)('the demo of the %s contract', (contract) => {
  const document = new PublishedDocument(contract);
  let database: TestDatabase;
  let app: TestApp;
  let keys: Partial<DemoPartner>;
  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { YIELDS: contract === 'partner' ? 'simulated' : 'live' };
    const settings = loadSettings({ CONTRACT: contract, DATABASE_URL: database.url, SECRETS_KEY, ...env });
    keys = await withDomain(settings, async (context): Promise<Partial<DemoPartner>> => {
      if (contract === 'sandbox') return { account_key: await createDemoAccount(context, undefined) };
      const made = await createDemoPartner(context, {}, DAYS);
      await createDemoOrders(context, settings, made.executor_key);
      return made;
    });
    app = await startApp(contract, env, database);
  }, 120_000);
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('The demo of the contract accepts every example of the document unchanged, in its order', async () => {
    let session: string | undefined;
    const refused: unknown[] = [];
    // A reset comes last: it removes what other examples name.
    const isLast = ({ name }: { name: string }): number => Number(name === 'POST /simulation/reset');
    for (const { name, operation } of document.operations.toSorted((a, b) => isLast(a) - isLast(b))) {
      const [method, template] = name.split(' ') as [string, string];
      const body = operation.requestBody?.content['application/json'].example;
      const parameters = document.parametersOf(operation);
      const path = template.replace(/\{(\w+)\}/g, (_, key: string) => {
        const { example } = parameters.find((parameter) => parameter.in === 'path' && parameter.name === key);
        return encodeURIComponent(example);
      });
      const caller = app.admin.as(template === '/sessions/current' ? session : keyFor(operation));
      for (const query of queriesOf(parameters)) {
        const answer = await caller.send(method, `${path}${query}`, body, headersOf(parameters));
        // A move that is taken up late is answered as refused.
        if (!String(answer.status).startsWith('2') || answer.body?.data.failure === 'refused')
          refused.push([`${method} ${path}${query}`, body, answer.status, answer.body]);
        if (name === 'POST /sessions') session = answer.body.data?.secret;
      }
    }
    expect(refused).toEqual([]);
  });

  /** The key that `npm start` prints for what the operation asks for. */
  function keyFor({ 'x-required-scopes': scopes, 'x-partner-key-required': ofPartner, tags }: any): string {
    const { account_key, executor_key } = keys;
    // Open moves are a demo partner's of their own, so that none of the account's funds waits for an executor.
    if (tags.includes('Moves') && scopes.includes('write')) return executor_key!;
    if (ofPartner || scopes.includes('partner:read')) return account_key!;
    return scopes.includes('write') ? executor_key! : app.adminKey;
  }
});

/** Without a filter, with each filter that has an example, and with all of them. */
function queriesOf(parameters: readonly any[]): string[] {
  const filters = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.schema.examples)
    .map(({ name, schema }) => [name, schema.examples[0]]);
  const { from, ...others } = Object.fromEntries(filters);
  // A time to read from goes with one to read to.
  const alone = Object.entries(others).map(([name, value]) => ({
    [name]: value,
    ...(name === 'to' && { from }),
  }));
  const all = filters.length > 1 ? [...alone, Object.fromEntries(filters)] : alone;
  return ['', ...all.map((query) => `?${new URLSearchParams(query).toString()}`)];
}

const headersOf = (parameters: readonly any[]): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'header')
      .map(({ name, schema }) => [name, schema.examples[0]]),
  );
