import { describe, expect, it } from '@jest/globals';
import { PublishedDocument } from '../support/published-document.js';
import { DIFFERENCES } from './differences.js';

/** A difference between the two contracts that was found. */
interface ContractDifference {
  operation: string;
  what: string;
}

const covers = (
  difference: { operation: string; what: readonly string[] },
  { operation, what }: ContractDifference,
): boolean =>
  difference.operation === operation &&
  difference.what.some(
    (text) => what === text || ['.', '[', ' ', '|'].some((end) => what.startsWith(text + end)),
  );

/** Differences that `differences.ts` does not list. */
const unlisted = (differences: readonly ContractDifference[]): string[] =>
  differences
    .filter((row) => !DIFFERENCES.some((difference) => covers(difference, row)))
    .map(({ operation, what }) => `${operation}: ${what}`);

/** Lines in which two descriptions differ; null is equal to anything. */
function differing(row: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...row.keys(), ...other.keys()])].filter((what) => {
    const said = [row.get(what), other.get(what)];
    return said[0] !== said[1] && !(said.includes('null') && !said.includes(undefined));
  });
}

/** Placeholders for a deployment's own values: both contracts say the same of their own assets and environment. */
const OWN: Record<string, string> = {
  USDT0: '(second asset)',
  USDT: '(second asset)',
  live: '(environment)',
  sandbox: '(environment)',
};
/** Extensions that tell how to read the document. `x-unique-within` is compared, because it binds callers. */
const EXTENSIONS = /^x-(?!unique-within$)/;
/** Keywords that explain a field and do not constrain it. */
const EXPLAINING = new Set(['description', 'example', 'examples', 'title', 'default']);

/** Everything in an operation that binds its callers, a line each: the place, and the rule there. */
function linesOf(document: PublishedDocument, operation: any): Map<string, string> {
  const lines = new Map<string, string>();
  lines.set('scopes', JSON.stringify(operation['x-required-scopes']));
  lines.set('partner key', String(operation['x-partner-key-required'] ?? false));
  for (const parameter of document.parametersOf(operation)) {
    const at = `${parameter.in} ${parameter.name}`;
    lines.set(at, parameter.required ? 'required' : 'optional');
    flatten(document, parameter.schema, at, lines);
  }
  const body = operation.requestBody?.content['application/json'].schema;
  if (body) flatten(document, body, 'body', lines);
  for (const [status, response] of document.responsesOf(operation)) {
    const [{ schema, examples }] = Object.values<any>(response.content);
    if (Number(status) < 400) {
      lines.set('status', status);
      flatten(document, schema, 'answer', lines);
      for (const name of Object.keys(response.headers)) lines.set(`header ${name}`, 'sent');
    } else for (const code of Object.keys(examples)) lines.set(`error ${code}`, status);
  }
  return lines;
}

function flatten(document: PublishedDocument, node: any, at: string, lines: Map<string, string>): void {
  const schema = document.resolved(node);
  const { properties, required = [], items, anyOf, oneOf, allOf, ...rest } = schema;
  const said = Object.entries(rest).filter(([name]) => !EXPLAINING.has(name) && !EXTENSIONS.test(name));
  lines.set(at, neutral(JSON.stringify(Object.fromEntries(said))));
  for (const [name, child] of Object.entries<any>(properties ?? {})) {
    flatten(document, child, `${at}.${name}`, lines);
    lines.set(
      `${at}.${name}`,
      `${required.includes(name) ? 'always' : 'maybe'} ${lines.get(`${at}.${name}`)}`,
    );
  }
  if (items) flatten(document, items, `${at}[]`, lines);
  for (const [index, row] of [...(anyOf ?? []), ...(allOf ?? [])].entries())
    flatten(document, row, `${at}|${index}`, lines);
  // The first of an answer's forms is what it usually is.
  for (const [index, row] of (oneOf ?? []).entries())
    flatten(document, row, index === 0 ? at : `${at}|${index}`, lines);
}

const neutral = (text: string): string =>
  text
    .replace(/"(USDT0|USDT|live|sandbox)"/g, (_, word: string) => `"${OWN[word]}"`)
    .replace(/vl_(live|sandbox)_/g, 'vl_(environment)_');

/** A client of one contract works with the other one, except for the differences listed in `differences.ts`. Answers are held against the document of their contract. */
describe('the two contracts', () => {
  const documents = { partner: new PublishedDocument('partner'), sandbox: new PublishedDocument('sandbox') };
  const operations = {
    partner: new Map(documents.partner.operations.map(({ name, operation }) => [name, operation])),
    sandbox: new Map(documents.sandbox.operations.map(({ name, operation }) => [name, operation])),
  };
  const shared = [...operations.partner.keys()].filter((name) => operations.sandbox.has(name));

  const documented = (): ContractDifference[] => [
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

  it('The two contracts are documented alike: access, parameters, bodies, responses and errors, except for the listed differences', () => {
    expect(shared.length).toBeGreaterThan(30);
    expect(unlisted(documented())).toEqual([]);
  });

  it('The two contracts have every listed difference, each listed once with a reason', () => {
    const differences = documented();
    const gone = DIFFERENCES.flatMap(({ operation, what }) =>
      what
        .filter((row) => !differences.some((difference) => covers({ operation, what: [row] }, difference)))
        .map((row) => `${operation}: ${row}`),
    );
    expect(gone).toEqual([]);
    const listed = DIFFERENCES.flatMap(({ operation, what }) => what.map((row) => `${operation}: ${row}`));
    expect(new Set(listed).size).toBe(listed.length);
    for (const { reason } of DIFFERENCES) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});
