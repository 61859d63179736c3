import { describe, expect, it } from '@jest/globals';
import { PublishedDocument } from '../support/published-document.js';
import { DIFFERENCES } from './differences.js';
import { covers, differing, type Found, unlisted } from './parity.compare.js';
import { linesOf } from './parity.document.js';

/** A client of one contract works with the other one, except for the differences listed in `differences.ts`. Answers are held against the document of their contract. */
describe('the two contracts', () => {
  const documents = { partner: new PublishedDocument('partner'), sandbox: new PublishedDocument('sandbox') };
  const operations = {
    partner: new Map(documents.partner.operations.map(({ name, operation }) => [name, operation])),
    sandbox: new Map(documents.sandbox.operations.map(({ name, operation }) => [name, operation])),
  };
  const shared = [...operations.partner.keys()].filter((name) => operations.sandbox.has(name));

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

  it('are documented alike: access, parameters, bodies, responses and errors, except for the listed differences', () => {
    expect(shared.length).toBeGreaterThan(30);
    expect(unlisted(documented())).toEqual([]);
  });

  it('have every listed difference, each listed once with a reason', () => {
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
});
