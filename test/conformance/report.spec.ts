import { describe, expect, it } from '@jest/globals';
import type { Exchange } from './exchange.js';
import { junitReport } from './junit.report.js';
import { pageReport } from './page.report.js';
import type { Report } from './report.js';

const SECRET = `whsec_${'S'.repeat(39)}tail=`;
const exchange: Exchange = {
  caller: 'partner',
  method: 'POST',
  path: '/users',
  sent: { headers: { 'content-type': 'application/json' }, body: '{"label":"<script>alert(1)</script>"}' },
  status: 500,
  headers: new Headers({ 'x-request-id': 'req_1' }),
  text: `]]></failure> "quoted" & \u0000 \ud800 ${SECRET}`,
  body: undefined,
};
const report: Report = {
  url: 'http://a.test/"><b>',
  contract: 'partner',
  run: 'conformance-1',
  startedAt: new Date('2026-01-31T12:00:00.000Z'),
  seconds: 1.5,
  requests: 3,
  results: [
    { id: 'a.one', says: 'It holds.', outcome: 'pass', why: null, exchange: null, seconds: 0.5 },
    { id: 'a.two', says: 'It <holds>.', outcome: 'fail', why: 'it & does not', exchange, seconds: 0.5 },
    {
      id: 'a.three',
      says: 'It may.',
      outcome: 'skipped',
      why: 'for "no" reason',
      exchange: null,
      seconds: 0,
    },
  ],
  leftovers: ['ptn_1: <gone>. To clean it: PATCH /partners/ptn_1'],
};

describe.each([
  ['JUnit XML', junitReport(report)],
  ['the page', pageReport(report)],
])('a report as %s', (_kind, text) => {
  it('A report escapes markup and control characters from servers and callers', () => {
    for (const markup of ['<script>', '</failure> ', '<b>', '<holds>', '<gone>'])
      expect(text).not.toContain(markup);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('it &amp; does not');
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0008\ud800-\udfff]/u);
  });

  it("A report shows each rule, its outcome, the failing request's id and the leftovers, but no secret", () => {
    const remedy = 'To clean it: PATCH /partners/ptn_1';
    for (const shown of ['a.one', 'a.two', 'a.three', 'req_1', 'for &quot;no&quot; reason', remedy])
      expect(text).toContain(shown);
    expect(text).not.toContain(SECRET);
  });
});

it('The JUnit report counts rules, failures and skips, and leftovers as one more failure', () => {
  const clean = junitReport({ ...report, leftovers: [] });
  expect(clean).toContain('tests="3" failures="1" errors="0" skipped="1"');
  expect(clean.match(/<testcase /g)).toHaveLength(3);
  expect(junitReport(report)).toContain('tests="4" failures="2"');
});

it('A report made before the cleaning names what may remain', () => {
  for (const text of [
    junitReport({ ...report, leftovers: null }),
    pageReport({ ...report, leftovers: null }),
  ])
    expect(text).toContain('partners and keys whose names begin with conformance-1 may be left');
});

it('The HTML report loads no resources', () => {
  expect(pageReport(report)).toContain("default-src 'none'");
  expect(pageReport(report)).not.toMatch(/(src|href)="(?!#)/);
});
