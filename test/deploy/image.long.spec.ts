import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { VERSION } from '../../src/config/version.js';
import { childEnvironment, ENDS, SERVES } from '../support/child-environment.js';
import { freePort } from '../support/replica.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { until } from '../support/until.js';
import { PG_BIN, runAsPostgres, whereInstalled } from './debian-postgres.js';

const SCRIPT = resolve('deploy/image.sh');
const IMAGE = `vaultline:${VERSION}`;
/** A key that anvil publishes, and an allowlist of its account. */
const PUBLISHED_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const TOKEN = {
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  decimals: 6,
  vault_limits: { transaction: 1000, day: 2000 },
  payout_limits: { transaction: 1000, day: 2000 },
};
const ALLOWLIST = {
  account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chains: {
    ethereum: {
      max_fee_gwei: 60,
      tokens: { USDC: TOKEN },
      vaults: {
        vlt_aave_v3_usdc: {
          kind: 'aave-v3',
          asset: 'USDC',
          address: '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2',
        },
      },
    },
  },
};
const OWNERS = { partner: 'live', sandbox: 'sandbox' } as const;
const PASSWORDS = Object.fromEntries(
  ['PARTNER', 'SANDBOX'].flatMap((name) => [
    [`${name}_MIGRATION_PASSWORD`, `${name}-owner`],
    [`${name}_DATABASE_PASSWORD`, `${name}-server`],
  ]),
);
const run = promisify(execFile);

jest.setTimeout(1_800_000);

whereInstalled(['buildah', 'podman', 'crun', 'debootstrap', 'setpriv'], 'no image is built')(
  'the image',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'vaultline-image-'));
    const containers: ChildProcess[] = [];
    let port: string;
    let summary: string;

    const settingsOf = (contract: keyof typeof OWNERS): Record<string, string> => ({
      CONTRACT: contract,
      DATABASE_URL: `postgres://${OWNERS[contract]}_server:${contract.toUpperCase()}-server@127.0.0.1:${port}/vaultline_${OWNERS[contract]}`,
      SECRETS_KEY,
      HOST: '127.0.0.1',
      TRUSTED_PROXIES: 'none',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      // The feed's address is on this machine, and nothing listens there.
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
    });
    /** Arguments of the script and the environment of a container, whose values stay out of the process list. */
    const container = (settings: Record<string, string>, ...command: string[]): [string[], object] => [
      ['run', ...Object.keys(settings).flatMap((name) => ['--env', name]), IMAGE, ...command],
      { env: { ...process.env, ...settings } },
    ];
    const output = async (settings: Record<string, string>, ...command: string[]): Promise<string> => {
      const [args, options] = container(settings, ...command);
      const { stdout } = await run(SCRIPT, args, { ...options, ...ENDS });
      return stdout;
    };

    beforeAll(async () => {
      ({ stdout: summary } = await run(SCRIPT, ['build'], ENDS));
      process.stderr.write(summary);
      chmodSync(root, 0o777);
      port = String(await freePort());
      const data = join(root, 'data');
      const auth = ['--auth-local=trust', '--auth-host=scram-sha-256', '-U', 'vaultline'];
      await runAsPostgres([`${PG_BIN}/initdb`, '-D', data, ...auth]);
      appendFileSync(
        join(data, 'postgresql.conf'),
        `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${root}'\nmax_connections = 120\n`,
      );
      await runAsPostgres([`${PG_BIN}/pg_ctl`, '-D', data, '-w', '-l', join(root, 'log'), 'start']);
      const psql = ['psql', '-h', root, '-p', port, '-U', 'vaultline'];
      await runAsPostgres([...psql, '-d', 'postgres', '-c', 'CREATE DATABASE vaultline']);
      await runAsPostgres(
        [...psql, '-d', 'vaultline', '-f', resolve('docker/database/roles.sql')],
        PASSWORDS,
      );
    });
    afterAll(async () => {
      for (const child of containers) if (child.exitCode === null) child.kill('SIGTERM');
      await runAsPostgres([`${PG_BIN}/pg_ctl`, '-D', join(root, 'data'), '-m', 'immediate', 'stop']);
      rmSync(root, { recursive: true, force: true });
    });

    it('The image is at most 200 MB beyond its base, and has labels and an SBOM', () => {
      const [, size] = /: (\d+) MB beyond its base/.exec(summary)!;
      expect(Number(size)).toBeLessThanOrEqual(200);
      expect(summary).toContain(`org.opencontainers.image.version=${VERSION}\n`);
      expect(summary).toMatch(/org\.opencontainers\.image\.revision=\w+/);
      expect(Number(/(\d+) packages in/.exec(summary)![1])).toBeGreaterThan(100);
    });

    it('The image runs as an unprivileged user without capabilities, on a read-only root', async () => {
      const script = 'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status; touch /app/x 2>&1';
      const printed = await output({}, 'sh', '-c', `${script} || true`);
      expect(printed.replaceAll('\t', ' ').split('\n')).toEqual([
        '1000',
        'CapEff: 0000000000000000',
        'CapBnd: 0000000000000000',
        'NoNewPrivs: 1',
        "touch: cannot touch '/app/x': Read-only file system",
        '',
      ]);
    });

    it('The image of the executor stops without its settings, and runs as an unprivileged user with them', async () => {
      const image = `vaultline-executor:${VERSION}`;
      await expect(run(SCRIPT, ['run', image], ENDS)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^VAULTLINE_URL is required\.$/m),
      });
      const allowlist = join(root, 'allowlist.json');
      writeFileSync(allowlist, JSON.stringify(ALLOWLIST));
      const PORT = String(await freePort());
      const settings = {
        VAULTLINE_URL: 'http://127.0.0.1:9',
        VAULTLINE_API_KEY: 'vl_live_none',
        PARTNER_API_KEYS: 'vl_live_none',
        ALLOWLIST: '/etc/allowlist.json',
        RPC_URL_ETHEREUM: 'http://127.0.0.1:9',
        INSECURE_RAW_KEY_FOR_TESTS: PUBLISHED_KEY,
        PORT,
      };
      const options = ['--volume', `${allowlist}:/etc/allowlist.json:ro`, '--tmpfs', '/data'];
      const names = Object.keys(settings).flatMap((name) => ['--env', name]);
      const executor = spawn(SCRIPT, ['run', ...options, ...names, image], {
        env: { ...process.env, ...settings },
        stdio: ['ignore', 'pipe', 'inherit'],
        ...SERVES,
      });
      containers.push(executor);
      let log = '';
      executor.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
      const health = (): Promise<Response | null> =>
        fetch(`http://127.0.0.1:${PORT}/health`).catch(() => null);
      await until(async () => (await health())?.status === 200, 60_000);
      expect(await (await health())!.json()).toMatchObject({ status: 'ok' });
      const stopped = once(executor, 'exit');
      executor.kill('SIGTERM');
      expect(await stopped).toEqual([0, null]);
      expect(log).toContain('the executor has stopped');
      expect(log).not.toContain(PUBLISHED_KEY.slice(2));
    });

    it.each(['partner', 'sandbox'] as const)(
      'The image migrates, serves the %s contract as conformance has it, and stops when it is asked to',
      async (contract) => {
        const settings = settingsOf(contract);
        const owner = settings['DATABASE_URL']!.replaceAll('server', 'owner');
        await output({ ...settings, DATABASE_MIGRATION_URL: owner }, 'vaultline', 'migrate');
        const created = await output(
          settings,
          ...['vaultline', 'keys', 'create', '--label', 'admin', '--scopes', 'keys:admin,partner:admin'],
        );
        const [ADMIN_KEY] = /vl_\w+/.exec(created)!;

        const PORT = String(await freePort());
        const [args, options] = container({ ...settings, PORT });
        const server = spawn(SCRIPT, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'], ...SERVES });
        containers.push(server);
        const url = `http://127.0.0.1:${PORT}`;
        const ready = (): Promise<boolean> =>
          fetch(`${url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          );
        await until(ready, 120_000);

        const suite = ['--import', './test/runner/typescript.mjs', 'test/conformance/conformance.main.ts'];
        // The other contract is another file of settings for the same program.
        const only = contract === 'sandbox' ? ['--only', 'simulation', 'positions', 'document'] : [];
        const { stdout } = await run(
          process.execPath,
          [...suite, '--url', url, '--contract', contract, '--seconds', '600', ...only],
          { env: { ...childEnvironment(), ADMIN_KEY }, ...ENDS },
        ).catch((error: Error & { stdout: string }) => {
          throw new Error(error.stdout.replaceAll(/^pass .*\n/gm, ''), { cause: error });
        });
        const result = /\d+ passed, 0 failed, \d+ skipped/.exec(stdout);
        expect(result).not.toBeNull();
        process.stderr.write(`the image, ${contract} contract: ${result![0]}\n`);

        const stopped = once(server, 'exit');
        server.kill('SIGTERM');
        expect(await stopped).toEqual([0, null]);
      },
    );
  },
);
