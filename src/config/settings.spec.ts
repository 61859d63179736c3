import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { configFolder, emptyFolder, problemsOf, setting } from '../../test/support/configuration.js';
import { deploymentEnvironment, loadQuickstartSettings } from './quickstart.js';
import { loadSettings } from './settings.js';
import { idleVault } from './vault-catalogue.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const DATABASE_URL = 'postgres://u:p@db/vaultline';

type Variables = Record<string, string>;
const load = (env: Variables = {}) => loadSettings({ CONTRACT: 'partner', SECRETS_KEY: KEY, ...env });
const problems = (env: Variables) => problemsOf(() => loadSettings(env));
const kindsOf = (env: Variables): string[] => [...new Set(load(env).vaults.map(({ feed }) => feed.kind))];

describe('settings', () => {
  it('Settings differ by contract: environment, schema, assets, feeds and idle vaults', () => {
    const [partner, sandbox] = [load(), load({ CONTRACT: 'sandbox' })];
    expect(partner).toMatchObject({ environment: 'live', databaseSchema: 'live' });
    expect(sandbox).toMatchObject({ environment: 'sandbox', databaseSchema: 'sandbox' });
    expect(sandbox.constants.assets).toEqual(['USDC', 'USDT']);
    expect(sandbox.vaults.slice(-2)).toEqual(['USDC', 'USDT'].map(idleVault));
    expect(kindsOf({ CONTRACT: 'sandbox' })).toEqual(['simulated', 'idle']);
    expect(kindsOf({})).toEqual(['defillama', 'idle']);
  });

  it('Settings are read from the environment, URLs without trailing slashes', () => {
    const settings = load({
      PUBLIC_URL: 'https://api.example.com//',
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9/llama/',
      WEBHOOK_TIMEOUT_MS: '100',
      DOCS: 'off',
      CONSOLE: 'off',
      TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8',
    });
    expect(settings).toMatchObject({
      publicUrl: 'https://api.example.com',
      defillamaBaseUrl: 'http://127.0.0.1:9/llama',
      webhookTimeoutMs: 100,
      docs: false,
      console: false,
      trustedProxies: ['10.0.0.0/8', 'fd00::/8'],
    });
  });

  it('Settings require receivers to use https in production, unless WEBHOOK_REQUIRE_HTTPS is false', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL, TRUSTED_PROXIES: 'none' };
    expect(load(production).webhookRequireHttps).toBe(true);
    expect(load({ ...production, WEBHOOK_REQUIRE_HTTPS: 'false' }).webhookRequireHttps).toBe(false);
  });

  it.each<[Variables, string]>([
    [{}, 'reported'],
    [{ SETTLEMENT: 'instant' }, 'instant'],
    [{ YIELDS: 'simulated' }, 'instant'],
    [{ YIELDS: 'simulated', SETTLEMENT: 'reported' }, 'reported'],
    [{ CONTRACT: 'sandbox' }, 'instant'],
  ])('Settings with %j have moves settled %s', (env, settlement) =>
    expect(load(env).settlement).toBe(settlement),
  );

  it('Settings of npm start, which starts both contracts, settle the sandbox at once', () => {
    const both = { SETTLEMENT: 'reported' };
    const of = (contract: 'partner' | 'sandbox') =>
      deploymentEnvironment(both, contract, loadQuickstartSettings(both))['SETTLEMENT'];
    expect([of('partner'), of('sandbox')]).toEqual(['reported', undefined]);
  });

  it('Settings permit simulated yields in the live contract; the sandbox has no others', () => {
    expect(kindsOf({ YIELDS: 'simulated' })).toEqual(['simulated', 'idle']);
    expect(load({ CONTRACT: 'sandbox', YIELDS: 'simulated' }).simulatedYields).toBe(false);
  });

  it('Settings read a vault from its chain if that has an RPC URL, and otherwise from its second source', () => {
    const rpc = 'https://rpc.example/v2/0123456789abcdef, http://10.0.0.7:8545';
    const settings = load({ RPC_URL_ARBITRUM: rpc });
    expect(Object.fromEntries(settings.vaults.map(({ id, feed }) => [id, feed.kind]))).toMatchObject({
      vlt_aave_v3_usdt0_arbitrum: 'chain',
      vlt_aave_v3_usdc: 'defillama',
    });
    expect(settings.rpcUrls).toEqual({ arbitrum: rpc.split(', ') });
    expect(load({ RPC_URL_ARBITRUM: rpc, YIELDS: 'simulated' }).rpcUrls).toEqual({});
    expect(load({ CONTRACT: 'sandbox', RPC_URL_ETHEREUM: rpc }).rpcUrls).toEqual({});
  });

  it('Settings have the custody accounts of each chain in lower case, and none where nothing is real', () => {
    const [one, other] = [
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
    ];
    const env = { CUSTODY_ACCOUNTS_ETHEREUM: `${one}, ${other}`, CUSTODY_ACCOUNTS_PLASMA: one };
    expect(load(env).custodyAccounts).toEqual({
      ethereum: [one.toLowerCase(), other],
      plasma: [one.toLowerCase()],
    });
    for (const simulated of [{ CONTRACT: 'sandbox' }, { YIELDS: 'simulated' }])
      expect(load({ ...env, ...simulated }).custodyAccounts).toEqual({});
  });

  const NO_CONTRACT = 'CONTRACT is missing; it must be partner or sandbox.';
  const REQUIRED = 'is missing; it is required under NODE_ENV=production';
  const PROXIES = `TRUSTED_PROXIES ${REQUIRED}: the networks of the proxies in front, or the word none where callers connect directly.`;
  const direct = (pooling: string) =>
    `DATABASE_DIRECT_URL is missing; with DATABASE_POOLING=${pooling} it is the URL of the database itself, for what listens and what migrates.`;
  it.each<[Variables, string[]]>(
    // prettier-ignore
    [
      [{}, [NO_CONTRACT]],
      [
        { CONTARCT: 'partner', PORT: 'x' },
        [NO_CONTRACT, 'PORT is "x"; it must be a whole number from 0 to 65535.', 'CONTARCT is not a setting; did you mean CONTRACT? Its value is "partner".'],
      ],
      [{ CONTRACT: 'sandbox', SETTLEMENT: 'reported' }, ['SETTLEMENT is "reported"; it must be instant under CONTRACT=sandbox.']],
      [
        { CONTRACT: 'partner', NODE_ENV: 'production', YIELDS: 'simulated' },
        [`DATABASE_URL ${REQUIRED}.`, `SECRETS_KEY ${REQUIRED}.`, PROXIES, 'YIELDS is "simulated"; it must be live under NODE_ENV=production.'],
      ],
      [{ CONTRACT: 'partner', DATABASE_URL, DATABASE_POOLING: 'transaction' }, [direct('transaction')]],
      [{ CONTRACT: 'partner', DATABASE_URL, DATABASE_POOLING: 'transaction_named' }, [direct('transaction_named')]],
      [{ CONTRACT: 'partner', DATABASE_DIRECT_URL: DATABASE_URL }, ['DATABASE_URL is missing; with DATABASE_DIRECT_URL it is the URL of the pooler.']],
    ],
  )('Settings stop the start with %j', (env, expected) => expect(problems(env)).toEqual(expected));

  it('Settings have their problems reported together with those of the files', () => {
    const folder = configFolder({ 'partner.yaml': setting('points', { per_usd_dya: 2 }) });
    const env = { CONTRACT: 'partner', SECRETS_KEY: KEY, PORT: 'x' };
    expect(problemsOf(() => loadSettings(env, { configFolder: folder }))).toEqual([
      'PORT is "x"; it must be a whole number from 0 to 65535.',
      'config/partner.yaml: points.per_usd_dya is not a setting; the nearest is per_usd_day.',
    ]);
  });
});

describe('the secrets key without SECRETS_KEY', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = emptyFolder();
    path = join(folder, 'secrets.key');
  });
  const loaded = (dataDir = folder) => loadSettings({ CONTRACT: 'partner', DATA_DIR: dataDir });

  it('The secrets key without SECRETS_KEY is created once in a file that its owner alone can read', () => {
    const dataDir = join(folder, 'data');
    const first = loaded(dataDir).secretsKey;
    expect(first).toHaveLength(32);
    expect(loaded(dataDir).secretsKey.equals(first)).toBe(true);
    const made = join(dataDir, 'secrets.key');
    expect(readFileSync(made, 'utf8')).toBe(first.toString('base64'));
    expect(statSync(made).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secrets.key']);
  });

  it('The secrets key without SECRETS_KEY is read from the file if another process created it first, even with a line break at its end', () => {
    writeFileSync(path, `${KEY}\n`);
    expect(loaded().secretsKey.toString('base64')).toBe(KEY);
    expect(loaded().secretsKeySource).toBe(JSON.stringify(path));
  });

  it.each([
    ['whitespace only', ' \n', 'is empty'],
    ['more than a key', `${KEY}${KEY}`, 'holds 88 characters that are no key'],
    ['a text', 'hunter2', 'holds 7 characters that are no key'],
  ])(
    'The secrets key without SECRETS_KEY is refused from a file that contains %s, and the file is not overwritten',
    (_, text, held) => {
      writeFileSync(path, text);
      const found = problemsOf(() => loaded());
      expect(found).toEqual([
        expect.stringContaining(`${JSON.stringify(path)} ${held}; it must be 32 bytes in base64.`),
      ]);
      expect(found[0]).not.toContain('hunter2');
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('The secrets key without SECRETS_KEY cannot be created if DATA_DIR is a file', () => {
    writeFileSync(path, '');
    expect(problemsOf(() => loaded(path))[0]).toMatch(/^DATA_DIR is ".*key": EEXIST: file already exists/);
  });
});
