import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError } from './config-error.js';
import { idleVault } from './vault-catalogue.js';
import { deploymentEnvironment, loadQuickstartSettings } from './quickstart.js';
import { loadSettings } from './settings.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (env: Record<string, string> = {}): ReturnType<typeof loadSettings> =>
  loadSettings({ CONTRACT: 'partner', SECRETS_KEY: KEY, ...env });

function problems(env: Record<string, string>): readonly string[] {
  try {
    loadSettings(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('have the documented defaults', () => {
    expect(load()).toMatchObject({
      contract: 'partner',
      environment: 'live',
      production: false,
      apiRoot: 'api/v1',
      host: '0.0.0.0',
      port: 3000,
      publicUrl: null,
      managementPort: null,
      managementHost: '127.0.0.1',
      logLevel: 'info',
      database: {
        url: null,
        migrationUrl: null,
        pooling: 'session',
        directUrl: null,
        files: { url: null, directUrl: null },
        poolSize: 10,
        schema: 'live',
      },
      bootstrapAdminKey: null,
      docs: true,
      rateLimitPerMinute: 6000,
      requestsAtOnce: 4,
      authFailuresPerMinute: 300,
      trustedProxies: [],
      webhooks: { allowedNetworks: [], requireHttps: false, timeoutMs: 5000 },
      feeds: { defillamaBaseUrl: 'https://yields.llama.fi' },
    });
  });

  it('differ by contract: environment, schema, assets and feeds', () => {
    const sandbox = load({ CONTRACT: 'sandbox' });
    expect(sandbox).toMatchObject({ environment: 'sandbox', database: { schema: 'sandbox' } });
    expect(sandbox.constants.assets).toEqual(['USDC', 'USDT']);
    expect(new Set(sandbox.vaults.map((vault) => vault.feed.kind))).toEqual(new Set(['simulated', 'idle']));
    expect(new Set(load().vaults.map((vault) => vault.feed.kind))).toEqual(new Set(['defillama', 'idle']));
  });

  it('have an idle vault of each asset after the vaults of the catalogue', () => {
    expect(load({ CONTRACT: 'sandbox' }).vaults.slice(-2)).toEqual(['USDC', 'USDT'].map(idleVault));
    expect(idleVault('USDT0')).toMatchObject({
      id: 'vlt_idle_usdt0',
      name: 'Idle USDT0',
      chain: null,
    });
  });

  it('are read from the environment, URLs without trailing slashes', () => {
    const settings = load({
      PORT: '8080',
      PUBLIC_URL: 'https://api.example.com//',
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9/llama/',
      WEBHOOK_TIMEOUT_MS: '100',
      DOCS: 'off',
      CONSOLE: 'off',
      AUTH_FAILURES_PER_MINUTE: '0',
      TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8',
    });
    expect(settings).toMatchObject({
      port: 8080,
      publicUrl: 'https://api.example.com',
      feeds: { defillamaBaseUrl: 'http://127.0.0.1:9/llama' },
      webhooks: { timeoutMs: 100 },
      docs: false,
      console: { served: false },
      authFailuresPerMinute: 0,
      trustedProxies: ['10.0.0.0/8', 'fd00::/8'],
    });
  });

  it('require DATABASE_DIRECT_URL with a pooler, and DATABASE_URL with DATABASE_DIRECT_URL', () => {
    const directUrl = 'postgres://u:p@db/vaultline';
    for (const pooling of ['transaction', 'transaction_named']) {
      const pooler = { DATABASE_URL: 'postgres://u:p@pooler/vaultline', DATABASE_POOLING: pooling };
      expect(load({ ...pooler, DATABASE_DIRECT_URL: directUrl }).database).toMatchObject({
        url: pooler.DATABASE_URL,
        pooling,
        directUrl,
      });
      expect(() => load(pooler)).toThrow(
        `DATABASE_DIRECT_URL is missing; with DATABASE_POOLING=${pooling} it is the URL of the database itself`,
      );
    }
    expect(() => load({ DATABASE_DIRECT_URL: directUrl })).toThrow('DATABASE_URL is missing');
  });

  it('require receivers to use https in production, unless WEBHOOK_REQUIRE_HTTPS is false', () => {
    const production = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://u:p@db/vaultline',
      TRUSTED_PROXIES: 'none',
    };
    expect(load(production).webhooks.requireHttps).toBe(true);
    expect(load({ ...production, WEBHOOK_REQUIRE_HTTPS: 'false' }).webhooks.requireHttps).toBe(false);
  });
});

describe('the check of settings at the start', () => {
  it('names the allowed contracts if CONTRACT is missing, misspelt or unknown', () => {
    expect(problems({})).toEqual(['CONTRACT is missing; it must be partner or sandbox.']);
    expect(problems({ CONTARCT: 'partner', PORT: 'x' })).toEqual([
      'CONTRACT is missing; it must be partner or sandbox.',
      'PORT is "x"; it must be a whole number from 0 to 65535.',
      'CONTARCT is not a setting; did you mean CONTRACT?',
    ]);
    expect(problems({ CONTRACT: 'live' })).toEqual(['CONTRACT is "live"; it must be partner or sandbox.']);
  });

  it('has SETTLEMENT default to reported in the live contract, and to instant on simulated yields and in the sandbox', () => {
    expect(load({}).settlement).toBe('reported');
    expect(load({ SETTLEMENT: 'instant' }).settlement).toBe('instant');
    expect(load({ YIELDS: 'simulated' }).settlement).toBe('instant');
    expect(load({ YIELDS: 'simulated', SETTLEMENT: 'reported' }).settlement).toBe('reported');
    expect(load({ CONTRACT: 'sandbox' }).settlement).toBe('instant');
    expect(problems({ CONTRACT: 'sandbox', SETTLEMENT: 'reported' })).toEqual([
      'SETTLEMENT is "reported"; it must be instant under CONTRACT=sandbox.',
    ]);
    // One environment starts both, and the sandbox settles at once.
    const both = { SETTLEMENT: 'reported' };
    const of = (contract: 'partner' | 'sandbox') =>
      deploymentEnvironment(both, contract, loadQuickstartSettings(both))['SETTLEMENT'];
    expect([of('partner'), of('sandbox')]).toEqual(['reported', undefined]);
    expect(problems({ CONTRACT: 'partner', SETTLEMENT: 'later' })).toEqual([
      'SETTLEMENT is "later"; it must be instant or reported.',
    ]);
  });

  it('permits YIELDS=simulated in the live contract, except in production', () => {
    const kinds = (env: Record<string, string>): string[] => [
      ...new Set(load(env).vaults.map(({ feed }) => feed.kind)),
    ];
    expect(kinds({})).toEqual(['defillama', 'idle']);
    expect(kinds({ YIELDS: 'simulated' })).toEqual(['simulated', 'idle']);
    expect(load({ CONTRACT: 'sandbox', YIELDS: 'simulated' }).simulatedYields).toBe(false);
    const production = {
      CONTRACT: 'partner',
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://db/v',
      SECRETS_KEY: KEY,
    };
    expect(problems({ ...production, TRUSTED_PROXIES: 'none', YIELDS: 'simulated' })).toEqual([
      'YIELDS is "simulated"; it must be live under NODE_ENV=production.',
    ]);
    expect(problems({ CONTRACT: 'partner', YIELDS: 'real' })).toEqual([
      'YIELDS is "real"; it must be live or simulated.',
    ]);
  });

  it('reads a vault from its chain if that has an RPC URL, and otherwise from its second source', () => {
    const rpc = 'https://rpc.example/v2/0123456789abcdef, http://10.0.0.7:8545';
    const sources = (env: Record<string, string>): Record<string, string> =>
      Object.fromEntries(load(env).vaults.map(({ id, feed }) => [id, feed.kind]));
    expect(sources({ RPC_URL_ARBITRUM: rpc })).toMatchObject({
      vlt_aave_v3_usdt0_arbitrum: 'chain',
      vlt_aave_v3_usdc: 'defillama',
    });
    expect(load({ RPC_URL_ARBITRUM: rpc }).rpcUrls).toEqual({ arbitrum: rpc.split(', ') });
    expect(load({ RPC_URL_ARBITRUM: rpc, YIELDS: 'simulated' }).rpcUrls).toEqual({});
    expect(load({ CONTRACT: 'sandbox', RPC_URL_ETHEREUM: rpc }).rpcUrls).toEqual({});
    expect(problems({ CONTRACT: 'partner', RPC_URL_BASE: `${rpc},ws://rpc.example/hunter2` })).toEqual([
      'RPC_URL_BASE is not valid; it must be up to 8 different URLs of http or https, separated by commas.',
    ]);
  });

  it('names the settings that production requires', () => {
    expect(problems({ CONTRACT: 'partner', NODE_ENV: 'production' })).toEqual([
      'DATABASE_URL is missing; it is required under NODE_ENV=production.',
      'SECRETS_KEY is missing; it is required under NODE_ENV=production.',
      'TRUSTED_PROXIES is missing; it is required under NODE_ENV=production: the networks of the proxies in front, or the word none where callers connect directly.',
    ]);
  });

  it('shows no secret', () => {
    const found = problems({
      CONTRACT: 'partner',
      SECRETS_KEY: 'hunter2',
      DATABASE_URL: 'hunter2',
      PORT: 'x',
    });
    expect(found).toHaveLength(3);
    expect(found.join('\n')).not.toContain('hunter2');
  });

  it('reports problems of the environment and of the files together', () => {
    cpSync('config', folder, { recursive: true });
    const path = join(folder, 'partner.yaml');
    writeFileSync(path, `${readFileSync(path, 'utf8')}\npoints: { per_usd_dya: 2 }\n`);
    expect(() =>
      loadSettings(
        { CONTRACT: 'partner', NODE_ENV: 'production', SECRETS_KEY: KEY, PORT: 'x' },
        { configFolder: folder },
      ),
    ).toThrow(
      expect.objectContaining({
        problems: [
          'DATABASE_URL is missing; it is required under NODE_ENV=production.',
          expect.stringContaining('TRUSTED_PROXIES is missing'),
          'PORT is "x"; it must be a whole number from 0 to 65535.',
          'config/partner.yaml: points.per_usd_dya is not a setting; the nearest is per_usd_day.',
        ],
      }),
    );
  });
});

describe('the secrets key without SECRETS_KEY', () => {
  it('is created once in a file that its owner alone can read', () => {
    const env = { CONTRACT: 'partner', DATA_DIR: join(folder, 'data') };
    const first = loadSettings(env).secretsKey;
    expect(first).toHaveLength(32);
    expect(loadSettings(env).secretsKey.equals(first)).toBe(true);
    const path = join(folder, 'data', 'secrets.key');
    expect(Buffer.from(readFileSync(path, 'utf8'), 'base64').equals(first)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is read from the file if another process created it first', () => {
    writeFileSync(join(folder, 'secrets.key'), KEY);
    const { secretsKey } = loadSettings({ CONTRACT: 'partner', DATA_DIR: folder });
    expect(secretsKey.toString('base64')).toBe(KEY);
    expect(readdirSync(folder)).toEqual(['secrets.key']);
  });

  it('may end in a line break in its file', () => {
    writeFileSync(join(folder, 'secrets.key'), `${KEY}\n`);
    const settings = loadSettings({ CONTRACT: 'partner', DATA_DIR: folder });
    expect(settings.secretsKey.toString('base64')).toBe(KEY);
    expect(settings.secretsKeySource).toBe(JSON.stringify(join(folder, 'secrets.key')));
  });

  it.each([
    ['nothing', '', 'is empty'],
    ['whitespace only', ' \n', 'is empty'],
    ['a part of a key', KEY.slice(0, 30), 'holds 30 characters that are no key'],
    ['more than a key', `${KEY}${KEY}`, 'holds 88 characters that are no key'],
    ['a text', 'hunter2', 'holds 7 characters that are no key'],
  ])('is refused from a file that contains %s, and the file is not overwritten', (_, text, held) => {
    const path = join(folder, 'secrets.key');
    writeFileSync(path, text);
    const [problem, ...more] = problems({ CONTRACT: 'partner', DATA_DIR: folder });
    expect(problem).toContain(`${JSON.stringify(path)} ${held}; it must be 32 bytes in base64.`);
    expect(more).toEqual([]);
    if (text.trim()) expect(problem).not.toContain(text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('cannot be created if DATA_DIR is a file', () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    const [problem] = problems({ CONTRACT: 'partner', DATA_DIR: path });
    expect(problem).toMatch(/^DATA_DIR is ".*file": EEXIST: file already exists/);
  });
});
