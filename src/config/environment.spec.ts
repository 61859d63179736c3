import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config-error.js';
import { readEnvironment, SETTING_NAMES } from './read-environment.js';

function problems(env: Record<string, string>): readonly string[] {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('the environment of the process', () => {
  it('is parsed into typed values', () => {
    expect(
      readEnvironment({
        CONTRACT: 'partner',
        PORT: '0',
        WEBHOOK_REQUIRE_HTTPS: 'FALSE',
        WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16, fd12::/48 ',
        DEFILLAMA_BASE_URL: 'http://127.0.0.1:8080/v2',
        RATE_LIMIT_PER_MINUTE: '',
        PATH: '/usr/bin',
      }),
    ).toMatchObject({
      values: {
        contract: 'partner',
        port: 0,
        webhookRequireHttps: false,
        webhookAllowedNetworks: ['10.1.0.0/16', 'fd12::/48'],
        defillamaBaseUrl: 'http://127.0.0.1:8080/v2',
        rateLimitPerMinute: 6000,
      },
    });
  });

  it('has a database URL from the file that DATABASE_URL_FILE names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-environment-'));
    const path = join(folder, 'url');
    const DATABASE_URL = 'postgres://vaultline:hunter2@db/vaultline';
    writeFileSync(path, `${DATABASE_URL}\n`);
    expect(readEnvironment({ DATABASE_URL_FILE: path })).toMatchObject({
      values: { databaseUrl: DATABASE_URL },
      files: { databaseUrl: path },
    });
    expect(problems({ DATABASE_URL_FILE: path, DATABASE_URL })).toEqual([
      'DATABASE_URL and DATABASE_URL_FILE are both set; set one of them.',
    ]);
    writeFileSync(path, 'hunter2');
    const refused = [
      `DATABASE_URL_FILE is ${JSON.stringify(path)}, which does not hold a valid value or cannot be read; it must be the path of a file that holds a URL such as postgres://user:password@host:5432/vaultline.`,
    ];
    expect(problems({ DATABASE_URL_FILE: path })).toEqual(refused);
    rmSync(folder, { recursive: true });
    expect(problems({ DATABASE_URL_FILE: path })).toEqual(refused);
  });

  it.each(
    // prettier-ignore
    [
      ['CONTRACT', 'both', 'CONTRACT is "both"; it must be partner or sandbox.'],
      ['DATABASE_POOLING', 'statement', 'DATABASE_POOLING is "statement"; it must be session or transaction or transaction_named.'],
      ['PORT', '65536', 'PORT is "65536"; it must be a whole number from 0 to 65535.'],
      ['WEBHOOK_REQUIRE_HTTPS', 'ja', 'WEBHOOK_REQUIRE_HTTPS is "ja"; it must be true or false.'],
      [
        'WEBHOOK_ALLOWED_NETWORKS',
        '10.1.0.0/33',
        'WEBHOOK_ALLOWED_NETWORKS is "10.1.0.0/33"; it must be networks in CIDR notation, separated by commas, such as 10.1.0.0/16,fd12::/48.',
      ],
      ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud"; it must be fatal or error or warn or info or debug or trace or silent.'],
      [
        'DEFILLAMA_BASE_URL',
        'yields.llama.fi',
        'DEFILLAMA_BASE_URL is "yields.llama.fi"; it must be a URL such as https://yields.llama.fi, without a user or password.',
      ],
      [
        'DEFILLAMA_BASE_URL',
        'ftp://yields.llama.fi',
        'DEFILLAMA_BASE_URL is "ftp://yields.llama.fi"; it must be a URL such as https://yields.llama.fi, without a user or password.',
      ],
      [
        'PUBLIC_URL',
        'https://ops:hunter2@api.example.com',
        'PUBLIC_URL is "https://[removed]@api.example.com"; it must be a URL such as https://api.example.com, without a user or password.',
      ],
      ['DOCS', 'of', 'DOCS is "of"; it must be on or off.'],
      ['AUTH_FAILURES_PER_MINUTE', '-1', 'AUTH_FAILURES_PER_MINUTE is "-1"; it must be a whole number from 0 to 10000000.'],
      // Trusting every address would mean to believe what any caller claims.
      ...['10.0.0.1', '0.0.0.0/0', '::/0', 'fe80::1%eth0/64', 'None', 'none,10.0.0.0/8'].map(
        (networks): [string, string, string] => [
          'TRUSTED_PROXIES',
          networks,
          `TRUSTED_PROXIES is "${networks}"; it must be none, or networks in CIDR notation, separated by commas, such as 10.1.0.0/16,fd12::/48, but not all there are.`,
        ],
      ),
      // Anything but `production` turns its protections off, so a misspelling stops the boot.
      ...['prod', 'Production', 'PRODUCTION', 'live', 'production '].map((word): [string, string, string] => [
        'NODE_ENV',
        word,
        `NODE_ENV is ${JSON.stringify(word)}; it must be production or development or test.`,
      ]),
    ],
  )('is rejected with %s=%s', (name, value, expected) => {
    expect(problems({ [name]: value })).toEqual([expected]);
  });

  it.each([
    ['SECRETS_KEY', `${KEY}0`],
    ['SECRETS_KEY', 'hunter2hunter2'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/vaultline'],
    ['DATABASE_DIRECT_URL', 'hunter2'],
    ['DATABASE_URL', 'postgres:///hunter2'],
    ['DATABASE_URL', 'postgres:hunter2'],
  ])('never reveals an invalid %s in an error', (name, value) => {
    const found = problems({ [name]: value }).join('\n');
    expect(found).toContain(`${name} is not valid`);
    expect(found).not.toContain(value);
    expect(found).not.toContain('hunter2');
  });

  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URLS', 'DATABASE_URL'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['DEFILAMA_BASE_URL', 'DEFILLAMA_BASE_URL'],
    ['WEBHOOKS_TIMEOUT_MS', 'WEBHOOK_TIMEOUT_MS'],
    // Start of the day.
    ['WEBHOOK_TIMEOUT', 'WEBHOOK_TIMEOUT_MS'],
    ['RATE_LIMIT', 'RATE_LIMIT_PER_MINUTE'],
    ['AUTH_FAILURES', 'AUTH_FAILURES_PER_MINUTE'],
    // Other letter case.
    ['database_url', 'DATABASE_URL'],
    ['Log_Level', 'LOG_LEVEL'],
    // Short names: two letters swapped, or one doubled.
    ['PROT', 'PORT'],
    ['PORTT', 'PORT'],
    ['HSOT', 'HOST'],
    ['DOSC', 'DOCS'],
    ['DDOCS', 'DOCS'],
    ['CONTARCT', 'CONTRACT'],
    ['NODE_EVN', 'NODE_ENV'],
  ])('reports %s as a misspelt %s, without its value', (name, meant) => {
    expect(problems({ [name]: 'postgres://u:hunter2@db/x' })).toEqual([
      `${name} is not a setting; did you mean ${meant}?`,
    ]);
  });

  it.each([
    ...[
      'HOSTS',
      'PORTS',
      'POST',
      'DOC',
      'NODE_ENVS',
      'NODE_PATH',
      'DATABASE',
      'DATA',
      'RATE',
      'LOG',
      'PGHOST',
      'HOME',
    ],
    ...['port', 'npm_config_loglevel'],
  ])('is accepted with a variable %s of other programs', (name) => {
    expect(problems({ [name]: 'x' })).toEqual([]);
  });

  it('may have each secret in a file, whose content is never shown', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-environment-'));
    const path = join(folder, 'secret');
    writeFileSync(path, `${KEY}\n`);
    expect(readEnvironment({ SECRETS_KEY_FILE: path }).values.secretsKey).toBe(KEY);
    const secrets = SETTING_NAMES.filter((name) => name.endsWith('_FILE'));
    expect(secrets.map((name) => name.replace('_FILE', ''))).toEqual([
      'DATABASE_URL',
      'DATABASE_MIGRATION_URL',
      'DATABASE_DIRECT_URL',
      'BOOTSTRAP_ADMIN_KEY',
      'SECRETS_KEY',
      'SECRETS_KEY_PREVIOUS',
      ...['ETHEREUM', 'ARBITRUM', 'BASE', 'PLASMA'].map((chain) => `RPC_URL_${chain}`),
    ]);
    writeFileSync(path, '');
    for (const name of secrets)
      expect(problems({ [name]: path })).toEqual([
        expect.stringContaining(`${name} is ${JSON.stringify(path)}, which does not hold a valid value`),
      ]);
    rmSync(folder, { recursive: true });
  });

  it('has all its problems reported at once', () => {
    expect(problems({ PORT: 'x', LOG_LEVEL: 'x', SECRET_KEY: 'x' })).toHaveLength(3);
  });
});
