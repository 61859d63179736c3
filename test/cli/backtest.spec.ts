import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { vaultline } from '../support/command.js';

const HOUR_MS = 3_600_000;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const HOURS = 45 * 24;

const csv = (percent: number): string =>
  [
    'timestamp,apy_percent,deposits',
    ...Array.from(
      { length: HOURS },
      (_, at) => `${new Date(BEGIN + at * HOUR_MS).toISOString()},${percent},5000000`,
    ),
  ].join('\n');

const entry = (id: string, file: string, lending_baseline: boolean, more: object = {}): object => ({
  id,
  name: id,
  venue: 'Venue',
  chain: 'ethereum',
  asset: 'USDC',
  risk_tier: 'low',
  active: true,
  capacity: null,
  entry_cost: 1,
  exit_cost: 1,
  exit_delay_hours: 0,
  dilution: 'pool',
  lending_baseline,
  feed: { kind: 'recorded', file, rate: 'apr', assets: 'deposits', liquidity: null, ...more },
});

/** It runs without a database and without settings. */
describe('vaultline backtest', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'backtest-'));
    writeFileSync(join(folder, 'a.csv'), csv(4));
    writeFileSync(join(folder, 'b.csv.gz'), gzipSync(csv(6)));
    catalogue('both.yaml', entry('vlt_a', 'a.csv', true), entry('vlt_b', 'b.csv.gz', false));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const catalogue = (name: string, ...vaults: object[]): void =>
    writeFileSync(join(folder, name), JSON.stringify({ assets: ['USDC'], vaults }));
  const run = (name: string, ...more: string[]) =>
    vaultline(
      [
        ...['backtest', '--catalogue', join(folder, name), '--data', folder],
        ...['--from', '2026-01-31', '--to', '2026-02-14', '--amount', '10000', ...more],
      ],
      {},
    );

  it('Vaultline backtest prints JSON of each amount and strategy', async () => {
    const { code, stdout, stderr } = await run('both.yaml', '--amount', '250000', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { from, to, runs } = JSON.parse(stdout);
    expect([from, to]).toEqual(['2026-01-31T00:00:00.000Z', '2026-02-14T00:00:00.000Z']);
    expect(runs.map(({ amount }: { amount: number }) => amount)).toEqual([10_000, 250_000]);
    expect(runs[0].strategies.router).toEqual({
      gain_pct: expect.closeTo(6, 1),
      moves: 0,
      costs_pct: 0,
      promised: 0,
      realised: 0,
      worst_behind_lending_pct: 0,
      months: { ahead: 2, of: 2 },
      held: [{ vault_id: 'vlt_b', hours: 336 }],
    });
    expect(runs[0].strategies.lending.gain_pct).toBeCloseTo(4, 1);
  });

  it('Vaultline backtest prints a table and draws a chart', async () => {
    const chart = join(folder, 'chart.svg');
    const { code, stdout } = await run('both.yaml', '--chart', chart);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^10,000 from 2026-01-31T00:00:00.000Z[^]*\nrouter +5\.99 +0 /);
    expect(stdout).toContain(`The chart is in ${chart}.`);
    expect(readFileSync(chart, 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/);
  });

  it.each([
    [
      'a file that is missing',
      'c.csv',
      {},
      /c\.csv, which vlt_a names, cannot be read \(ENOENT\); file is relative to --data\./,
    ],
    ['another feed', 'a.csv', { more: 1 }, /vaults\[0\]\.feed\.more is not a setting/],
  ])('Vaultline backtest says what to do about %s', async (_, file, more, message) => {
    catalogue('wrong.yaml', entry('vlt_a', file, true, more));
    const { code, stderr } = await run('wrong.yaml', '--json');
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it('Vaultline backtest explains how to correct a wrong time or amount', async () => {
    expect((await run('both.yaml', '--to', 'soon')).stderr).toContain(
      '--to is soon; write a UTC time such as',
    );
    expect((await run('both.yaml', '--amount', '-5')).stderr).toContain(
      '--amount is -5; write whole units above 0',
    );
  });
});
