import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { verify as verifyOfConsole } from '../../console/src/screens/webhooks/snippets/verify.js';
import { newSigningSecret, sign } from '../../src/domain/webhooks/signature.js';
import { PublishedDocument } from '../support/published-document.js';

type Verify = (rawBody: Buffer, header: string, secret: string) => boolean;

const guide = readFileSync('docs/webhooks.md', 'utf8');
const [partner, sandbox] = (['partner', 'sandbox'] as const).map((name) => new PublishedDocument(name));
/** What the console shows beside a new secret. */
const snippet = (name: string): string =>
  readFileSync(`console/src/screens/webhooks/snippets/${name}`, 'utf8');
const BODY = Buffer.from('{"id":"evt_1","data":{"label":"Zürich €"}}');
const SECRET = newSigningSecret();

/** The first block of a language in a page. */
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)![1]!;
/** The function `verify` of a page, as a reader copies it. */
async function verifyOf(page: string): Promise<Verify> {
  const code = blockOf(page, 'js').replace(/^(export )?function/m, 'export function');
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return verify as Verify;
}

const now = Math.floor(Date.now() / 1000);
const v1 = (secret: string, at = now): string => sign(secret, at, BODY).slice(`t=${at},`.length);
const [own, other] = [v1(SECRET), v1(newSigningSecret())];
const ACCEPTED = [`t=${now},${own}`, `t=${now},${own},${other}`, `t=${now},${other},${own}`];
const REFUSED = [
  `t=${now},${other}`,
  `t=${now},${other},${other}`,
  `t=${now - 301},${v1(SECRET, now - 301)}`,
  `t=${now - 301},${other},${v1(SECRET, now - 301)}`,
  `t=${now}`,
  `t=${now},`,
  `t=${now},${own},`,
  `t=${now},${own},v1=`,
  '',
];

describe.each([
  ['docs/webhooks.md', guide],
  ['the OpenAPI document', partner!.content.info.description as string],
])('the verifier in %s', (_where, page) => {
  it('accepts a signature, and either of two', async () => {
    const verify = await verifyOf(page);
    for (const header of ACCEPTED) expect([header, verify(BODY, header, SECRET)]).toEqual([header, true]);
  });

  it('refuses what is wrong, old, or no header of ours', async () => {
    const verify = await verifyOf(page);
    for (const header of REFUSED) expect([header, verify(BODY, header, SECRET)]).toEqual([header, false]);
    expect(verify(Buffer.concat([BODY, Buffer.from(' ')]), ACCEPTED[0]!, SECRET)).toBe(false);
  });
});

it.each([
  ['Python', /fullmatch\(r"(.+?)"/.exec(blockOf(guide, 'python'))![1]!],
  ['Go', /MustCompile\(`(.+?)`/.exec(blockOf(guide, 'go'))![1]!],
  ['the console in Ruby', /\\A(.+?)\\z/.exec(snippet('verify.rb'))![1]!],
  ['the console in PHP', /\\A(.+?)\\z/.exec(snippet('verify.php'))![1]!],
  ['README.md', /\/(\^t=.+?\$)\/\.exec/.exec(readFileSync('README.md', 'utf8'))![1]!],
  ['partner.json', partner!.content.components.parameters.WebhookSignature.schema.pattern as string],
  ['sandbox.json', sandbox!.content.components.parameters.WebhookSignature.schema.pattern as string],
])('the pattern of the header in %s admits one v1 and two, and no other number', (_where, pattern) => {
  const whole = new RegExp(`^(?:${pattern})$`);
  for (const header of ACCEPTED) expect(whole.test(header)).toBe(true);
  expect(whole.test(`t=${now}`)).toBe(false);
  expect(whole.test(`t=${now},${own},${other},${own}`)).toBe(false);
});

it('the console shows the Python and the Go of the guide, and a TypeScript that accepts and refuses the same', () => {
  expect([snippet('verify.py'), snippet('verify.go')]).toEqual([
    blockOf(guide, 'python'),
    blockOf(guide, 'go'),
  ]);
  const judged = (header: string): boolean => verifyOfConsole(BODY, header, SECRET);
  expect([ACCEPTED.filter(judged), REFUSED.filter(judged)]).toEqual([ACCEPTED, []]);
});

it("Stripe's library accepts either of two as well", () => {
  for (const header of ACCEPTED)
    expect(Stripe.webhooks.constructEvent(BODY, header, SECRET)).toMatchObject({ id: 'evt_1' });
});
