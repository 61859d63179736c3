import { readFileSync } from 'node:fs';

/** A URL or a scenario, and the expected verdict. */
export interface Row {
  verdict: 'allow' | 'deny';
  /** The text in the list; for a scenario, its terms. */
  text: string;
  why: string;
}

const ALL: readonly Row[] = readFileSync(new URL('../support/data/ssrf-urls.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [verdict, text, why] = line.split('\t') as [Row['verdict'], string, string];
    return { verdict, text, why };
  });

/** A name that resolves to a public address first, and to another one later (DNS rebinding). */
const isTurning = ({ why }: Row): boolean => /^DNS: rebinding public ->/.test(why);
const isRedirect = ({ text }: Row): boolean => text.startsWith('redirect:');

/** A URL to register or to send to, and the DNS answers for its name. */
export interface AddressCase extends Row {
  url: string;
  name?: string;
  said?: readonly string[] | 'silence';
  /** The failure of a send to it. */
  failure: 'blocked_address' | 'dns_error';
}

/** Rows that the address alone decides, at any time. */
export const GIVEN: readonly AddressCase[] = ALL.filter((row) => !isTurning(row) && !isRedirect(row)).map(
  (row, n): AddressCase => {
    const failure = 'blocked_address';
    const [scenario, terms = ''] = row.text.split(/:(.*)/s);
    if (scenario === 'multi' || scenario === 'multi6') {
      const name = `many-${n}.example.com`;
      return { ...row, url: `https://${name}/`, name, said: terms.split(','), failure };
    }
    if (scenario === 'dns-timeout') {
      const name = 'slow.example.com';
      return { ...row, url: `https://${name}/`, name, said: 'silence', failure: 'dns_error' };
    }
    const pointsAt = /^DNS:.*(?:->|rebinding) (metadata|[\d.]+)/.exec(row.why)?.[1];
    if (pointsAt === undefined) return { ...row, url: row.text, failure };
    const said = [pointsAt === 'metadata' ? '169.254.169.254' : pointsAt];
    return { ...row, url: row.text, name: new URL(row.text).hostname, said, failure };
  },
);

export const REDIRECTS = ALL.filter(isRedirect).map(({ text }) => {
  const [, status, location] = /^redirect:(\d+):(.*)$/.exec(text)!;
  return [Number(status), location!] as const;
});

export const TURNING = ALL.filter(isTurning).map(({ text }) => text);

/** The DNS answer for names without one in their row: a public address, so that only a rule can refuse the URL. */
export const OTHERWISE = ['93.184.216.34'];
