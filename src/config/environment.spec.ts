import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { emptyFolder } from '../../test/support/configuration.js';
import { FOREIGN_ENVIRONMENTS } from '../../test/support/foreign-environments.js';
import { readVariables, SETTING_NAMES } from './read-environment.js';
import { tracingOf } from './tracing.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const problems = (env: Record<string, string>) => readVariables(env).problems;

const CIDR = 'networks in CIDR notation, separated by commas, such as 10.1.0.0/16,fd12::/48';
const ACCOUNTS =
  'it must be up to 20 different addresses, separated by commas, in lower case or with their checksum (EIP-55).';
const LLAMA = 'it must be a URL such as https://yields.llama.fi, without a user or password.';

describe('the environment of the process', () => {
  it('The environment of the process is parsed into typed values', () => {
    expect(
      readVariables({
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

  it.each(
    // prettier-ignore
    [
      ['CONTRACT', 'both', 'it must be partner or sandbox.'],
      ['PORT', '65536', 'it must be a whole number from 0 to 65535.'],
      ['AUTH_FAILURES_PER_MINUTE', '-1', 'it must be a whole number from 0 to 10000000.'],
      ['WEBHOOK_REQUIRE_HTTPS', 'ja', 'it must be true or false.'],
      ['DATABASE_POOLING', 'statement', 'it must be session or transaction or transaction_named.'],
      ['DEFILLAMA_BASE_URL', 'yields.llama.fi', LLAMA],
      ['OTEL_TRACES_SAMPLER_ARG', '25', 'it must be a fraction from 0 to 1.'],
      ['WEBHOOK_ALLOWED_NETWORKS', '10.1.0.0/33', `it must be ${CIDR}.`],
      // Trusting every address would mean to believe what any caller claims.
      ...['10.0.0.1', '0.0.0.0/0', '::/0', 'fe80::1%eth0/64', 'None', 'none,10.0.0.0/8'].map((networks) => [
        'TRUSTED_PROXIES', networks, `it must be none, or ${CIDR}; /0 is refused.`,
      ]),
      // A wrong checksum, a digit too few, the same account twice, no account.
      ...[
        '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB47',
        '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb4',
        '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        ',',
      ].map((accounts) => ['CUSTODY_ACCOUNTS_BASE', accounts, ACCOUNTS]),
      // Anything but `production` turns its protections off, so a misspelling stops the boot.
      ...['prod', 'PRODUCTION', 'live', 'production '].map((word) => [
        'NODE_ENV', word, 'it must be production or development or test.',
      ]),
    ] as [string, string, string][],
  )('The environment of the process is rejected with %s=%s', (name, value, expected) => {
    expect(problems({ [name]: value })).toEqual([`${name} is ${JSON.stringify(value)}; ${expected}`]);
  });

  it('The environment of the process is rejected without the password of a URL in the error', () =>
    expect(problems({ PUBLIC_URL: 'https://ops:hunter2@api.example.com' })).toEqual([
      'PUBLIC_URL is "https://[removed]@api.example.com"; it must be a URL such as https://api.example.com, without a user or password.',
    ]));

  it.each([
    ['SECRETS_KEY', `${KEY}0`],
    ['SECRETS_KEY', 'hunter2hunter2'],
    ['DATABASE_URL', 'mysql://root:hunter2@db/vaultline'],
    ['DATABASE_URL', 'postgres:///hunter2'],
    ['DATABASE_URL', 'postgres://u:hunter2@1/2@db/vaultline'],
    ['RPC_URL_BASE', 'https://rpc.example/hunter2,ws://rpc.example/hunter2'],
  ])('The environment of the process never reveals an invalid %s in an error', (name, value) => {
    const [problem, ...more] = problems({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} is not valid; it must be `));
    expect(problem).not.toMatch(/hunter2|Bwc/);
    expect(more).toEqual([]);
  });

  it.each([
    ['SETLEMENT', 'SETTLEMENT'],
    ['CONSOL', 'CONSOLE'],
    ['YIELS', 'YIELDS'],
    ['DOC', 'DOCS'],
    ['NODE_ENB', 'NODE_ENV'],
    ['LOG_LVL', 'LOG_LEVEL'],
    ['RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MINUTE'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    // Only a secret can come from a file.
    ['TRUSTED_PROXIES_FILE', 'TRUSTED_PROXIES'],
    // A beginning.
    ['RATE_LIMIT', 'RATE_LIMIT_PER_MINUTE'],
    // Other letter case, other separators.
    ['database_url', 'DATABASE_URL'],
    ['port', 'PORT'],
    ['Console', 'CONSOLE'],
    ['log-level', 'LOG_LEVEL'],
    ['RATELIMIT_PER_MINUTE', 'RATE_LIMIT_PER_MINUTE'],
    ['WEBHOOKALLOWED_NETWORKS', 'WEBHOOK_ALLOWED_NETWORKS'],
    // Of no chain that is read.
    ['RPC_URL_', 'RPC_URL_BASE'],
    ['RPC_URL_ETHEREUMM', 'RPC_URL_ETHEREUM'],
    ['RPC_URL_OPTIMISM', 'RPC_URL_ARBITRUM'],
    ['CUSTODY_ACCOUNTS', 'CUSTODY_ACCOUNTS_BASE'],
    ['CUSTODY_ACCOUNT_BASE', 'CUSTODY_ACCOUNTS_BASE'],
    ['CUSTODY_ACCOUNTS_OPTIMISM', 'CUSTODY_ACCOUNTS_ARBITRUM'],
    // Variables that OpenTelemetry reads itself.
    ['OTEL_SERVICE_NAEM', 'OTEL_SERVICE_NAME'],
    ['OTEL_EXPORTER_OTLP_HEADER', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ])('The environment of the process is rejected with %s, a misspelt %s', (name, meant) =>
    expect(problems({ [name]: 'x' })).toEqual([
      expect.stringMatching(new RegExp(`^${name} is not a setting; did you mean ${meant}\\?`)),
    ]),
  );

  it.each([
    ['a letter that is missing', (name: string, at: number) => name.slice(0, at) + name.slice(at + 1)],
    ['a letter that is doubled', (name: string, at: number) => name.slice(0, at) + name.slice(at - 1)],
    [
      'two letters that are swapped',
      (name: string, at: number) =>
        name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1),
    ],
    ['an underscore that is missing', (name: string) => name.replace('_', '')],
    ['small letters', (name: string) => name.toLowerCase()],
  ])('The environment of the process is rejected with %s in any name, wherever that is', (_, misspell) => {
    const names = SETTING_NAMES.flatMap((name) =>
      [...name].map((_, at) => misspell(name, at || 1)).filter((wrong) => !SETTING_NAMES.includes(wrong)),
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((wrong) => problems({ [wrong]: '' }).length !== 1)).toEqual([]);
  });

  it.each([
    ['SETLEMENT', 'reported', ' Its value is "reported".'],
    [
      'PUBLIC_URLS',
      'https://ops:hunter2@api.example.com',
      ' Its value is "https://[removed]@api.example.com".',
    ],
    // What may be a secret.
    ['DATABSE_URL', 'postgres://u:hunter2@db/x', ''],
    ['SECRETKEY', 'hunter2', ''],
    ['RPC_URL_ETHEREUMM', 'https://rpc.example/hunter2', ''],
    ['OTEL_EXPORTER_OTLP_HEADER', 'authorization=hunter2', ''],
  ])(
    'The environment of the process tells the value of a misspelt %s unless that may be a secret',
    (name, value, told) =>
      expect(problems({ [name]: value })[0]).toMatch(new RegExp(`\\?${told.replace(/[[\]]/g, '\\$&')}$`)),
  );

  it.each(Object.entries(FOREIGN_ENVIRONMENTS))(
    'The environment of the process is accepted with the variables of %s',
    (_, names) =>
      expect(problems(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([]),
  );

  it('The environment of the process is accepted with the links that Kubernetes sets for services, whatever their names are', () => {
    const link = 'tcp://10.96.0.7:3001';
    expect(
      readVariables({ SANDBOX_PORT: link, PARTNER_PORT: link, PARTNERS_PORT: link, MANAGEMENT_PORT: link }),
    ).toMatchObject({
      values: { sandboxPort: 3001, partnerPort: 3000, managementPort: null },
      problems: [],
    });
  });

  it('The environment of the process may have each secret in a file, whose content is never shown', () => {
    const path = join(emptyFolder(), 'secret');
    const url = 'postgres://vaultline:hunter2@db/vaultline';
    writeFileSync(path, `${url}\n`);
    expect(readVariables({ DATABASE_URL_FILE: path })).toMatchObject({
      values: { databaseUrl: url },
      files: { databaseUrl: path },
    });
    expect(problems({ DATABASE_URL_FILE: path, DATABASE_URL: url })).toEqual([
      'DATABASE_URL and DATABASE_URL_FILE are both set; set one of them.',
    ]);
    const secrets = SETTING_NAMES.filter((name) => name.endsWith('_FILE'));
    expect(secrets.map((name) => name.replace('_FILE', ''))).toEqual([
      ...['DATABASE_URL', 'DATABASE_MIGRATION_URL', 'DATABASE_DIRECT_URL'],
      ...['BOOTSTRAP_ADMIN_KEY', 'SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'],
      ...['ETHEREUM', 'ARBITRUM', 'BASE', 'PLASMA'].map((chain) => `RPC_URL_${chain}`),
    ]);
    writeFileSync(path, '');
    for (const name of secrets)
      expect(problems({ [name]: path })).toEqual([
        expect.stringContaining(`${name} is ${JSON.stringify(path)}, which does not hold a valid value`),
      ]);
    for (const unusable of [path, `${path}.missing`])
      expect(problems({ DATABASE_URL_FILE: unusable })).toEqual([
        `DATABASE_URL_FILE is ${JSON.stringify(unusable)}, which does not hold a valid value or cannot be read; it must be the path of a file that holds a URL such as postgres://user:password@host:5432/vaultline.`,
      ]);
  });

  it('The environment of the process has all its problems reported at once', () => {
    expect(problems({ PORT: 'x', LOG_LEVEL: 'x', SECRET_KEY: 'x' })).toHaveLength(3);
  });
});

describe('the share of traces that is recorded', () => {
  const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
  const sampled = (OTEL_TRACES_SAMPLER: string) => ({
    ...COLLECTOR,
    OTEL_TRACES_SAMPLER,
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  });

  it.each<[Record<string, string>, number | null]>([
    [{}, null],
    [{ ...COLLECTOR, OTEL_SDK_DISABLED: 'true' }, null],
    [COLLECTOR, 1],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' }, 1],
    [sampled('always_on'), 1],
    [sampled('always_off'), 0],
    [sampled('traceidratio'), 0.25],
    [sampled('parentbased_always_on'), 1],
    [sampled('parentbased_always_off'), 0],
    [sampled('parentbased_traceidratio'), 0.25],
  ])('The share of traces that is recorded with %j is %p', (env, ratio) =>
    expect(tracingOf(readVariables(env).values)?.ratio ?? null).toBe(ratio),
  );
});
