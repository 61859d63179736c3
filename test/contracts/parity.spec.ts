import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { PublishedDocument } from '../support/published-document.js';
import { DIFFERENCES } from './differences.js';
import { answersOf, shapeOf } from './parity.answers.js';
import { linesOf } from './parity.document.js';

/** A difference between the two contracts that was found. */
interface Found {
  operation: string;
  what: string;
}

/** A client of one contract works with the other one, except for the differences listed in `differences.ts`. */
describe('the two contracts', () => {
  const documents = { partner: new PublishedDocument('partner'), sandbox: new PublishedDocument('sandbox') };
  const operations = {
    partner: new Map(documents.partner.operations.map(({ name, operation }) => [name, operation])),
    sandbox: new Map(documents.sandbox.operations.map(({ name, operation }) => [name, operation])),
  };
  const shared = [...operations.partner.keys()].filter((name) => operations.sandbox.has(name));

  const covers = (difference: { operation: string; what: readonly string[] }, { operation, what }: Found) =>
    difference.operation === operation &&
    difference.what.some(
      (one) => what === one || ['.', '[', ' ', '|'].some((end) => what.startsWith(one + end)),
    );
  const unlisted = (found: readonly Found[]): string[] =>
    found
      .filter((one) => !DIFFERENCES.some((difference) => covers(difference, one)))
      .map(({ operation, what }) => `${operation}: ${what}`);

  const documented = (): Found[] => [
    ...[...operations.partner.keys()]
      .filter((name) => !operations.sandbox.has(name))
      .map((operation) => ({ operation, what: 'only in partner' })),
    ...[...operations.sandbox.keys()]
      .filter((name) => !operations.partner.has(name))
      .map((operation) => ({ operation, what: 'only in sandbox' })),
    ...shared.flatMap((operation) =>
      differing(
        linesOf(documents.partner, operations.partner.get(operation)),
        linesOf(documents.sandbox, operations.sandbox.get(operation)),
      ).map((what) => ({ operation, what })),
    ),
  ];

  it('are documented alike: access, parameters, bodies, answers and errors', () => {
    expect(shared.length).toBeGreaterThan(30);
    expect(unlisted(documented())).toEqual([]);
  });

  it('have every difference that is listed, each listed once and for a reason', () => {
    const found = documented();
    const gone = DIFFERENCES.flatMap(({ operation, what }) =>
      what
        .filter((one) => !found.some((difference) => covers({ operation, what: [one] }, difference)))
        .map((one) => `${operation}: ${one}`),
    );
    expect(gone).toEqual([]);
    const listed = DIFFERENCES.flatMap(({ operation, what }) => what.map((one) => `${operation}: ${one}`));
    expect(new Set(listed).size).toBe(listed.length);
    for (const { reason } of DIFFERENCES) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });

  describe('answer alike', () => {
    let partner: Map<string, Answer>;
    let sandbox: Map<string, Answer>;

    beforeAll(async () => {
      [partner, sandbox] = [await answersOf('partner'), await answersOf('sandbox')];
    }, 60_000);

    it('in every operation that both have', () => {
      expect([...sandbox.keys()].sort()).toEqual([...shared].sort());
      const found = shared.flatMap((operation) =>
        differing(shapeOf(partner.get(operation)!), shapeOf(sandbox.get(operation)!)).map((what) => ({
          operation,
          what,
        })),
      );
      expect(unlisted(found)).toEqual([]);
    });

    it('with one delivery log, under two names', () => {
      const [theirs, ours] = [partner.get('GET /webhooks/deliveries'), sandbox.get('GET /webhooks/events')];
      expect(theirs!.body.data.length).toBeGreaterThan(0);
      expect(differing(shapeOf(theirs!), shapeOf(ours!))).toEqual([]);
    });

    it('with one uplift against the lending venue', () => {
      const { realized, projected } = partner.get('GET /analytics/uplift')!.body.data;
      const { lending, hold } = sandbox.get('GET /analytics/uplift')!.body.data.baselines;
      const fields = (one: any) => Object.entries<any>(one).map(([name, of]) => [name, Object.keys(of)]);
      expect(fields(lending)).toEqual(fields({ realized, projected }));
      expect(fields(hold)).toEqual(fields(lending));
    });
  });
});

/** Lines in which two descriptions differ; null is equal to anything. */
function differing(one: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((what) => {
    const said = [one.get(what), other.get(what)];
    return said[0] !== said[1] && !(said.includes('null') && !said.includes(undefined));
  });
}
