import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { type Contract, CONTRACTS } from '../../src/config/environment.js';
import { declaredRoutes } from '../../src/http/access/declared-access.js';
import type { Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { type DocumentedOperation, documentedOperations, filledPath } from '../support/document.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import { type AccessRow, admits, LONE_KEYS, tableOf, written } from './access.table.js';

/** The table of docs/security.md, compared with what the routes declare and with what they do. */
describe('who may call what, as docs/security.md has it', () => {
  const TABLE = tableOf();
  const apps = new Map<Contract, TestApp>();
  const operations = new Map<Contract, DocumentedOperation[]>();
  const inContract = (contract: Contract): AccessRow[] =>
    TABLE.filter(({ contracts }) => contracts === 'both' || contracts === contract);

  beforeAll(async () => {
    for (const contract of CONTRACTS) {
      const app = await startApp(contract, {}, undefined, shortMarkets);
      apps.set(contract, app);
      operations.set(contract, await documentedOperations(app));
    }
  });
  afterAll(() => Promise.all([...apps.values()].map((app) => app.close())));

  /** By operation, the keys that the routes of a contract declare to admit. */
  const declared = (contract: Contract): Map<string, string[]> => {
    const routes = declaredRoutes(apps.get(contract)!.application as unknown as INestApplication);
    const rules = new Map(routes.map(({ handler, rule }) => [handler.split('.')[1]!, rule]));
    return new Map(
      operations.get(contract)!.map(({ name, operationId }) => {
        const rule = rules.get(operationId);
        if (rule === undefined || rule === 'public') throw new Error(`${name} declares no key.`);
        return [name, LONE_KEYS.filter((key) => admits(rule, key)).map((key) => key.name)];
      }),
    );
  };

  it('is what the routes of both contracts declare, to the cell', () => {
    const [partner, sandbox] = [declared('partner'), declared('sandbox')];
    const rows: AccessRow[] = [];
    for (const [operation, admitted] of partner) {
      const there = sandbox.get(operation);
      const alike = JSON.stringify(there) === JSON.stringify(admitted);
      rows.push({ operation, contracts: alike ? 'both' : 'partner', admitted });
      if (there && !alike) rows.push({ operation, contracts: 'sandbox', admitted: there });
    }
    for (const [operation, admitted] of sandbox)
      if (!partner.has(operation)) rows.push({ operation, contracts: 'sandbox', admitted });
    const place = ({ operation, contracts }: AccessRow): string =>
      [...operation.split(' ').reverse(), contracts].join(' ');
    expect(written(TABLE)).toBe(written(rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))));
  });

  it('gives the scope read alone nothing but the market, bound or not', () => {
    // Every key may read its own identity and scopes.
    const own = ({ operation }: AccessRow): boolean => operation.includes(' /sessions');
    const open = TABLE.filter((row) => !own(row) && row.admitted.some((name) => name.startsWith('`read`')));
    expect(open.map(({ operation }) => operation)).toEqual([
      'GET /analytics/regime',
      'GET /analytics/signals',
      'GET /vaults',
      'GET /vaults/{id}/history',
      'GET /yield/history/{asset}',
    ]);
    for (const { contracts, admitted } of open)
      expect([contracts, admitted]).toEqual(['both', ['`read`', '`read`, bound', '`partner:read`, bound']]);
  });

  describe.each(CONTRACTS)('%s contract', (contract) => {
    it.each(LONE_KEYS)(
      'a key with $name alone: let through where the table says so, else 403',
      async (lone) => {
        const { admin } = apps.get(contract)!;
        const partner = await createPartner(admin);
        const { body } = await admin.post('/keys', {
          label: 'lone',
          scopes: [lone.scope],
          ...(lone.bound && { partner_id: partner.id }),
        });
        const api: Api = admin.as(body.data.secret);
        const rows = inContract(contract);
        expect(rows).toHaveLength(operations.get(contract)!.length);
        for (const { operation, admitted } of rows) {
          const asked = operations.get(contract)!.find(({ name }) => name === operation)!;
          const answer = await api.send(asked.method, filledPath(asked), asked.example);
          if (admitted.includes(lone.name)) {
            expect([operation, answer.status >= 500, [401, 403].includes(answer.status)]).toEqual([
              operation,
              false,
              false,
            ]);
            continue;
          }
          const ofPartners = rows.some(
            (row) => row.operation === operation && row.admitted.join() === '`partner:read`, bound',
          );
          const code = ofPartners && !lone.bound ? 'partner_key_required' : 'insufficient_scope';
          expect([operation, answer.status, answer.body.error?.code]).toEqual([operation, 403, code]);
          expectError(answer, 403, code);
        }
      },
    );

    it('no key: 401, whatever is called', async () => {
      const nobody = apps.get(contract)!.admin.as(undefined);
      for (const asked of operations.get(contract)!)
        expectError(
          await nobody.send(asked.method, filledPath(asked), asked.example),
          401,
          'missing_api_key',
        );
    });
  });
});
