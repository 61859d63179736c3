import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { configFolder, problemsOf, setting } from '../../test/support/configuration.js';
import { readConstants } from './constants.js';

const problemsIn = (folder: string) => problemsOf(() => readConstants('partner', folder));
const problemsWith = (path: string, value: unknown) =>
  problemsIn(configFolder({ 'default.yaml': setting(path, value) }));

const BODY = 'it must be a whole number from 1024 to 10485760.';
const MAPPING = 'it must be a mapping of keys to values.';
const LEVELS = 'it must be a list of up to 20 different numbers from 0 to 1.';

describe('constants', () => {
  it('Constants of a contract override the common ones, key by key', () => {
    const webhooks = (contract: 'partner' | 'sandbox') => readConstants(contract).constants.webhooks;
    expect(webhooks('partner')).toMatchObject({ deliveriesKept: 500, concurrency: 2000 });
    expect(webhooks('sandbox')).toMatchObject({ deliveriesKept: 10_000, concurrency: 2000 });
  });

  it.each(
    // prettier-ignore
    [
      ['http.body_limit_bytes', 1023, `is 1023; ${BODY}`],
      ['http.body_limit_bytes', 10_485_761, `is 10485761; ${BODY}`],
      ['http.body_limit_bytes', '65536', `is "65536"; ${BODY}`],
      ['http.bodyLimitBytes', 65536, 'is not a setting; the nearest is body_limit_bytes.'],
      ['http.body_limit', 1, 'is not a setting; the nearest is body_limit_bytes.'],
      ['paging', {}, 'is not a setting; the nearest is routing.'],
      ['http', [], `is []; ${MAPPING}`],
      ['routing.min_delta', '1 %', 'is "1 %"; it must be a number from 0 to 1.'],
      ['signals.risk_haircut.high', -0.1, 'is -0.1; it must be a number from 0 to 1.'],
      ['signals.risk_haircut.extreme', 0.5, 'is not a setting; the nearest is medium.'],
      ['routing.min_net_gain', 0.0000001, 'is 1e-7; it must be an amount in whole units, not negative, with at most 6 decimals.'],
      ['routing.max_index_loss', 0, 'is 0; it must be a number above 0 and below 1.'],
      ['routing.max_index_loss', 1, 'is 1; it must be a number above 0 and below 1.'],
      ['revenue.partner_share_bps', undefined, 'is missing; it must be a whole number from 0 to 10000.'],
      ['yield_thresholds.levels', 0.05, `is 0.05; ${LEVELS}`],
      ['yield_thresholds.levels', [0.05, 0.05], `is [0.05,0.05]; ${LEVELS}`],
      ['yield_thresholds.levels', ['high'], `[0] is "high"; ${LEVELS}`],
      // An entry that contradicts another one.
      ['routing.horizon_days', 61, 'is 61; it must be at most routing.lasting_horizon_days, which is 60.'],
      ['signals.risk_haircut.low', 0.16, 'is 0.16; it must be at most signals.risk_haircut.medium, which is 0.15.'],
      ['database.lock_timeout_ms', 30_000, 'is 30000; it must be less than database.statement_timeout_ms, which is 30000.'],
      ['yield_thresholds.rearm', 0.051, 'is 0.051; it must be at most the least level above 0 of yield_thresholds.levels, which is 0.05.'],
    ],
  )('Constants stop the start if %s is %j', (path, value, problem) => {
    const named = `config/default.yaml: ${path}${problem.startsWith('[') ? '' : ' '}${problem}`;
    expect(problemsWith(path, value)).toContain(named);
  });

  it.each([
    ['http.body_limit_bytes', 1024],
    ['routing.horizon_days', 60],
    ['signals.risk_haircut.low', 0.15],
    ['database.lock_timeout_ms', 29_999],
    ['yield_thresholds.rearm', 0.05],
    // Without a level above 0 no rearm distance is too large.
    ['yield_thresholds.levels', [0, 0.0025]],
  ])('Constants may have the value %s: %j', (path, value) => expect(problemsWith(path, value)).toEqual([]));

  it('Constants report every problem, with the file that sets the value', () => {
    const folder = configFolder({
      'default.yaml': (content) => {
        setting('idempotency.kept_hours', -1)(content);
        setting('database.statement_timeout_ms', 5000)(content);
        setting('revenue', undefined)(content);
      },
      'partner.yaml': setting('webhooks', { concurrency: -1, speed: 9 }),
    });
    expect(problemsIn(folder)).toEqual([
      'config/partner.yaml: webhooks.concurrency is -1; it must be a whole number from 1 to 20000.',
      'config/partner.yaml: webhooks.speed is not a setting; the nearest is concurrency.',
      'config/default.yaml: idempotency.kept_hours is -1; it must be a whole number from 1 to 720.',
      `config/default.yaml, config/partner.yaml: revenue is missing; ${MAPPING}`,
    ]);
    const contradiction = configFolder({
      'default.yaml': setting('database.statement_timeout_ms', 5000),
      'partner.yaml': setting('database', { lock_timeout_ms: 6000 }),
    });
    expect(problemsIn(contradiction)).toEqual([
      'config/partner.yaml: database.lock_timeout_ms is 6000; it must be less than database.statement_timeout_ms, which is 5000.',
    ]);
  });

  it('Constants show at most 100 characters of an invalid value', () => {
    expect(problemsWith('http', 'x'.repeat(5000))[0]!.length).toBeLessThan(250);
  });
});

describe('a configuration file', () => {
  it.each([
    ['a: [', 'Flow sequence in block collection.*at line 1'],
    ['a: 1\na: 2\n', 'Map keys must be unique at line 2'],
    ['a: !secret 1\n', 'Unresolved tag: !secret at line 1'],
    ['', 'must hold a mapping of keys to values'],
    ['- assets\n', 'must hold a mapping of keys to values'],
    [
      'vaults:\n  - { id: a }\n  - { capacity: 90000000000.000001 }\n',
      'vaults\\[1\\].capacity is "90000000000.000001"; a number keeps 15 digits; write it as a string, in quotes',
    ],
  ])(
    'A configuration file stops the start if it holds %j, without its folder in the error',
    (text, problem) => {
      expect(problemsIn(configFolder({ 'partner.yaml': text }))).toEqual([
        expect.stringMatching(new RegExp(`^config/partner\\.yaml: ${problem}[^/]*\\.$`)),
      ]);
    },
  );

  it('A configuration file stops the start if its name is misspelt, because it would be ignored', () => {
    const names = ['partner.yml', 'Sandbox.yaml', 'defualt.yaml', 'partner.backup.yaml', 'README.md'];
    const folder = configFolder(Object.fromEntries(names.map((name) => [name, 'http: {}'])));
    expect([...problemsIn(folder)].sort()).toEqual([
      'config/Sandbox.yaml is not read; did you mean config/sandbox.yaml?',
      'config/defualt.yaml is not read; did you mean config/default.yaml?',
      'config/partner.yml is not read; did you mean config/partner.yaml?',
    ]);
  });

  it('A configuration file stops the start if it is missing', () => {
    const folder = configFolder();
    rmSync(join(folder, 'default.yaml'));
    expect(problemsIn(folder)).toEqual(['config/default.yaml: cannot be read (ENOENT).']);
  });
});
