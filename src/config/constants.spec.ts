import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { ConfigError } from './config-error.js';
import { readConstants } from './constants.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
  cpSync('config', folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const defaults = (): any => parse(readFileSync(join(folder, 'default.yaml'), 'utf8'));
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);

/** @returns the problems that prevent this folder from being read */
function problems(): readonly string[] {
  try {
    readConstants('partner', folder);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** @returns the problems of `default.yaml` with one value replaced; undefined removes the key */
function problemsWith(path: string, value: unknown): readonly string[] {
  const tree = defaults();
  const keys = path.split('.');
  const last = keys.pop()!;
  const section = keys.reduce((above, key) => above[key], tree);
  if (value === undefined) delete section[last];
  else section[last] = value;
  write('default.yaml', stringify(tree));
  return problems();
}

describe('constants', () => {
  it.each(['partner', 'sandbox'] as const)('of the %s contract have the documented values', (contract) => {
    const { constants } = readConstants(contract);
    expect(constants).toMatchObject({
      routing: {
        horizonDays: 7,
        lastingHorizonDays: 60,
        cashHorizonDays: 365,
        minDelta: 0.001,
        minGainMultiple: 4,
        minNetGain: 1_000_000n,
        minHoursInVault: 6,
        returnWindowHours: 168,
        returnGainMultiple: 3,
        minSizeMultiple: 10,
        maxVaultShare: 0.15,
        maxVaultExposure: { low: 1, medium: 0.5, high: 0.2 },
        maxTierExposure: { low: 1, medium: 1, high: 0.25 },
        custody: 'shared',
        maxIndexLoss: 0.005,
        maxAssetsLoss: 0.5,
      },
      signals: {
        windowHours: 168,
        minSnapshots: 48,
        minCoverage: 0.8,
        trendDays: 7,
        trendWeight: 0.5,
        recentHalfLifeHours: 6,
        longHalfLifeHours: 168,
        returnHalfLifeHours: 72,
        expectedDays: 10,
        downsideWeight: 0.1,
        riskHaircut: { low: 0.05, medium: 0.15, high: 0.3 },
        reduceDelta: 0.01,
      },
      regime: {
        maxAgeHours: 3,
        volatileWindowHours: 24,
        referenceWindowHours: 168,
        volatileRatio: 2,
        trendZ: 1.96,
        minSlopePerDay: 0.001,
        agreeingHours: 2,
      },
      points: { perUsdDay: 1 },
      revenue: { performanceFeeBps: 1000, partnerShareBps: 4000 },
      feeds: { maxAgeMinutes: 180 },
      yieldThresholds: { levels: [0.05, 0.08], rearm: 0.0025 },
    });
    expect(constants).not.toHaveProperty('vaults');
  });

  it('of a contract override the common ones, key by key', () => {
    expect(readConstants('partner').constants.webhooks).toMatchObject({
      deliveriesKept: 500,
      concurrency: 2000,
    });
    expect(readConstants('sandbox').constants.webhooks).toMatchObject({
      deliveriesKept: 10_000,
      concurrency: 2000,
    });
  });

  it.each(
    // prettier-ignore
    [
      ['http.body_limit_bytes', 1023, 'is 1023; it must be a whole number from 1024 to 10485760.'],
      ['http.body_limit_bytes', '65536', 'is "65536"; it must be a whole number from 1024 to 10485760.'],
      ['http.body_limit_bytes', null, 'is null; it must be a whole number from 1024 to 10485760.'],
      ['http.body_limit_bytes', 65536.5, 'is 65536.5; it must be a whole number from 1024 to 10485760.'],
      ['http.bodyLimitBytes', 65536, 'is not a setting; the nearest is body_limit_bytes.'],
      ['http.body_limit', 1, 'is not a setting; the nearest is body_limit_bytes.'],
      ['http', [], 'is []; it must be a mapping of keys to values.'],
      ['http', 7, 'is 7; it must be a mapping of keys to values.'],
      ['http', null, 'is null; it must be a mapping of keys to values.'],
      ['routing.min_delta', '1 %', 'is "1 %"; it must be a number from 0 to 1.'],
      ['routing.min_delta', NaN, 'is NaN; it must be a number from 0 to 1.'],
      ['routing.max_vault_share', 1.5, 'is 1.5; it must be a number from 0 to 1.'],
      ['routing.min_net_gain', 0.0000001, 'is 1e-7; it must be an amount in whole units, not negative, with at most 6 decimals.'],
      ['signals.risk_haircut.high', -0.1, 'is -0.1; it must be a number from 0 to 1.'],
      ['signals.risk_haircut.extreme', 0.5, 'is not a setting; the nearest is medium.'],
      ['revenue.performance_fee_bps', 10_001, 'is 10001; it must be a whole number from 0 to 10000.'],
      ['yield_thresholds.levels', 0.05, 'is 0.05; it must be a list of up to 20 different numbers from 0 to 1.'],
      ['yield_thresholds.levels', [0.05, 0.05], 'is [0.05,0.05]; it must be a list of up to 20 different numbers from 0 to 1.'],
      ['routing.max_index_loss', 0, 'is 0; it must be a number above 0 and below 1.'],
      ['routing.max_index_loss', 1, 'is 1; it must be a number above 0 and below 1.'],
      ['routing.max_assets_loss', 0, 'is 0; it must be a number above 0 and below 1.'],
      ['routing.max_assets_loss', 1, 'is 1; it must be a number above 0 and below 1.'],
      ['routing.max_assets_loss', '0.5', 'is "0.5"; it must be a number above 0 and below 1.'],
    ],
  )('stop the start if invalid: %s: %j', (path, value, expected) => {
    expect(problemsWith(path, value)).toContain(`config/default.yaml: ${path} ${expected}`);
  });

  it.each(
    // prettier-ignore
    [
      ['routing.horizon_days', [60, 61], 'is 61; it must be at most routing.lasting_horizon_days, which is 60.'],
      ['signals.risk_haircut.low', [0.15, 0.16], 'is 0.16; it must be at most signals.risk_haircut.medium, which is 0.15.'],
      ['signals.risk_haircut.medium', [0.3, 0.31], 'is 0.31; it must be at most signals.risk_haircut.high, which is 0.3.'],
      ['database.lock_timeout_ms', [29_999, 30_000], 'is 30000; it must be less than database.statement_timeout_ms, which is 30000.'],
      ['yield_thresholds.rearm', [0.05, 0.051], 'is 0.051; it must be at most the least level above 0 of yield_thresholds.levels, which is 0.05.'],
    ],
  )('stop the start if two contradict each other: %s', (path, [good, bad], expected) => {
    expect(problemsWith(path, good)).toEqual([]);
    expect(problemsWith(path, bad)).toEqual([`config/default.yaml: ${path} ${expected}`]);
  });

  it('stop the start if either of a contradictory pair changed, with the file that sets the reported one', () => {
    expect(problemsWith('database.statement_timeout_ms', 5000)).toEqual([
      'config/default.yaml: database.lock_timeout_ms is 10000; it must be less than database.statement_timeout_ms, which is 5000.',
    ]);
    write(
      'partner.yaml',
      readFileSync(join(folder, 'partner.yaml'), 'utf8') + '\ndatabase: { lock_timeout_ms: 6000 }\n',
    );
    expect(problems()).toEqual([
      'config/partner.yaml: database.lock_timeout_ms is 6000; it must be less than database.statement_timeout_ms, which is 5000.',
    ]);
  });

  it.each([
    [['high'], '[0] is "high"'],
    [[0.05, 8], '[1] is 8'],
  ])('report an invalid element of a list with its index: %j', (levels, named) => {
    expect(problemsWith('yield_thresholds.levels', levels)).toEqual([
      `config/default.yaml: yield_thresholds.levels${named}; it must be a list of up to 20 different numbers from 0 to 1.`,
    ]);
  });

  it('need no rearm distance below the levels if no level is above 0', () => {
    expect(problemsWith('yield_thresholds.levels', [])).toEqual([]);
    expect(problemsWith('yield_thresholds.levels', [0, 0.0025])).toEqual([]);
  });

  it('stop the start if a key is unknown, and name the nearest one', () => {
    expect(problemsWith('paging', {})).toEqual([
      'config/default.yaml: paging is not a setting; the nearest is routing.',
    ]);
  });

  it('stop the start if one is missing', () => {
    expect(problemsWith('revenue.partner_share_bps', undefined)).toContain(
      'config/default.yaml: revenue.partner_share_bps is missing; it must be a whole number from 0 to 10000.',
    );
    expect(problemsWith('revenue', undefined)).toContain(
      'config/default.yaml, config/partner.yaml: revenue is missing; it must be a mapping of keys to values.',
    );
  });

  it('report all problems, each with its file', () => {
    write(
      'partner.yaml',
      readFileSync(join(folder, 'partner.yaml'), 'utf8') + '\nwebhooks: { concurrency: -1, speed: 9 }\n',
    );
    expect(problemsWith('idempotency.kept_hours', -1)).toEqual([
      'config/partner.yaml: webhooks.concurrency is -1; it must be a whole number from 1 to 20000.',
      'config/partner.yaml: webhooks.speed is not a setting; the nearest is concurrency.',
      'config/default.yaml: idempotency.kept_hours is -1; it must be a whole number from 1 to 720.',
    ]);
  });

  it('show at most 100 characters of an invalid value', () => {
    const [problem] = problemsWith('http', 'x'.repeat(5000));
    expect(problem!.length).toBeLessThan(250);
  });
});

describe('a configuration file', () => {
  it.each([
    ['a: [', /partner\.yaml: Flow sequence in block collection.*at line 1/],
    ['a: 1\na: 2\n', /partner\.yaml: Map keys must be unique at line 2/],
    ['a: !secret 1\n', /partner\.yaml: Unresolved tag: !secret at line 1/],
    ['\t- a\n', /partner\.yaml: /],
    ['', /partner\.yaml: must hold a mapping of keys to values\./],
    ['- assets\n', /partner\.yaml: must hold a mapping of keys to values\./],
    ['just words', /partner\.yaml: must hold a mapping of keys to values\./],
  ])('stops the start if it is not a YAML mapping: %j', (text, expected) => {
    write('partner.yaml', text);
    expect(problems()).toEqual([expect.stringMatching(expected)]);
    // The files' location on this machine does not belong in a log.
    expect(problems()[0]).toMatch(/^config\/partner\.yaml: [^/]*[^:]\.$/);
  });

  it('stops the start if it is missing', () => {
    rmSync(join(folder, 'default.yaml'));
    expect(problems()).toEqual(['config/default.yaml: cannot be read (ENOENT).']);
  });

  it('stops the start if a number has more than 15 digits', () => {
    write('partner.yaml', 'assets: [USDC]\nvaults:\n  - { id: a }\n  - { capacity: 90000000000.000001 }\n');
    expect(problems()).toEqual([
      'config/partner.yaml: vaults[1].capacity is "90000000000.000001"; a number keeps 15 digits; write it as a string, in quotes.',
    ]);
  });
});
