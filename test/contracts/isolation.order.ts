import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Contract } from '../../src/config/environment.js';
import { SCOPES } from '../../src/domain/tenants/access/scope.js';
import { ID_PREFIXES, type IdKind, newId } from '../../src/domain/kernel/identifier.js';
import { type Explained, rowsRead } from '../reports/plan.js';
import type { Answer, Api } from '../support/api.js';
import { schemaOf } from '../support/database.js';
import { prefixOf } from '../support/document.js';
import { expectError } from '../support/expected-error.js';
import { type SentStatement, statementsDuring } from '../support/statements.js';
import type { Place, Surface } from './isolation.places.js';
import { bytesOf, idsOf, ownIds, send, type Variant, variantsOf } from './isolation.requests.js';
import type { Party, Stage } from './isolation.stage.js';

/**
 * The order in which a request is judged, and the cost of judging it: neither reveals another partner's records. The tests change nothing of the
 * stage.
 */
export const describeOrder = (contract: Contract, stageOf: () => Stage): void =>
  describe('the order of judgement', () => {
    let stage: Stage;
    let own: Party;
    let other: Party;

    beforeAll(() => {
      stage = stageOf();
      [own, other] = [stage.first, stage.second];
    });

    const nobodys = ({ kind }: Place): string => {
      const [known] = Object.entries(ID_PREFIXES).find(([, prefix]) => prefix === prefixOf(kind))!;
      return newId(known as IdKind, new Date());
    };
    /** A valid request of an operation, and one with everything invalid that can be. */
    const goodAndBad = (surface: Surface, api: Api): (() => Promise<Answer>)[] => {
      const [good] = variantsOf(stage, surface);
      const everything: Variant = {
        name: 'everything wrong',
        query: { unknown: '1', limit: 'x', cursor: 'x' },
        headers: () => ({ 'idempotency-key': 'not one' }),
        ...(surface.takesBody && { body: '{"__proto__":' }),
      };
      const absent = new Map(surface.places.map((place) => [place, nobodys(place)]));
      const foreign = ownIds(surface.places, other);
      return [
        () => send(api, surface, ownIds(surface.places, own), good!),
        () => send(api, surface, absent, everything),
        () => send(api, surface, foreign, everything),
      ];
    };

    it('who has no key is told so, whatever is asked and however; nothing is looked up', async () => {
      for (const surface of stage.surfaces) {
        const answers = goodAndBad(surface, own.api.as(undefined));
        const bytes = await Promise.all(answers.map(async (ask) => bytesOf(await ask())));
        expectError(await answers[0]!(), 401, 'missing_api_key');
        expect([surface.name, new Set(bytes).size]).toEqual([surface.name, 1]);
        expect([surface.name, await statementsDuring(answers[1]!)]).toEqual([surface.name, []]);
      }
    });

    it('whose key does not do is told so, whatever is asked and however; nothing is looked up but the key', async () => {
      for (const surface of stage.surfaces.filter(({ scopes }) => scopes.length < SCOPES.length)) {
        const api = surface.scopes.includes('read') ? stage.app.admin : own.reader;
        const answers = goodAndBad(surface, api);
        const bytes = await Promise.all(answers.map(async (ask) => bytesOf(await ask())));
        const { status, body } = await answers[0]!();
        expect([surface.name, status]).toEqual([surface.name, 403]);
        expect(['insufficient_scope', 'partner_key_required']).toContain(body.error.code);
        expect([surface.name, new Set(bytes).size]).toEqual([surface.name, 1]);
        const names = (await statementsDuring(answers[1]!)).map(({ name }) => name);
        expect([surface.name, names]).toEqual([surface.name, ['access.find_key']]);
      }
    });

    it("another partner's id costs the statements, and the rows, that one costs which nobody has", async () => {
      const planner = new Client({
        connectionString: stage.app.database.url,
        // Sequential scans are disabled: PostgreSQL would scan such small tables whole, whoever owns the rows.
        options: `-c search_path=${schemaOf(contract)} -c enable_seqscan=off -c enable_bitmapscan=off`,
      });
      await planner.connect();
      /** Rows by table that the statements about an id read; their changes are rolled back. */
      const rowsOf = async (sent: SentStatement[], id: string): Promise<Map<string, number>> => {
        const all = new Map<string, number>();
        for (const { text, values } of sent.filter((one) => one.values.includes(id))) {
          await planner.query('BEGIN');
          const { rows } = await planner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
          await planner.query('ROLLBACK');
          const [explained] = rows[0]['QUERY PLAN'] as Explained[];
          for (const [table, read] of rowsRead(explained!)) all.set(table, (all.get(table) ?? 0) + read);
        }
        return all;
      };
      /** A refusal may end a request with two concurrent statements before the second one is sent: requests that differ are repeated. */
      const settled = async <T extends { texts: string[] }>(
        one: () => Promise<T>,
        two: () => Promise<T>,
      ): Promise<[T, T]> => {
        for (let more = 4; ; more--) {
          const [first, second] = [await one(), await two()];
          if (more === 0 || first.texts.join() === second.texts.join()) return [first, second];
        }
      };
      const open = stage.surfaces.filter(({ scopes }) => scopes.includes('partner:read'));
      const found: string[] = [];
      for (const surface of open) {
        const variants = variantsOf(stage, surface).filter(({ wellFormed }) => wellFormed);
        for (const place of surface.places) {
          const rest = new Map(
            [...ownIds(surface.places, own)].filter(([one]) => one !== place && one.in !== 'query'),
          );
          const costOf = async (id: string, variant: Variant) => {
            const sent = await statementsDuring(() =>
              send(own.api, surface, new Map([...rest, [place, id]]), variant),
            );
            return { texts: sent.map(({ text }) => text).sort(), rows: await rowsOf(sent, id) };
          };
          for (const variant of variants) {
            for (const id of idsOf(other, place)) {
              const [absent, asked] = await settled(
                () => costOf(nobodys(place), variant),
                () => costOf(id, variant),
              );
              const where = `${surface.name} ${place.name}=${id} ${variant.name}`;
              expect([where, asked.texts]).toEqual([where, absent.texts]);
              // A row that is found by its id is read before its owner is compared.
              for (const [table, read] of asked.rows)
                if (read > (absent.rows.get(table) ?? 0) + 1) found.push(`${where} reads ${read} ${table}`);
            }
          }
        }
      }
      await planner.end();
      expect(found).toEqual([]);
    });
  });
