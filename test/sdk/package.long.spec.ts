import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VaultlinePartner, VaultlineSandbox } from '../../sdk/src/index.js';
import { CONTRACTS } from '../../src/config/deployments.js';
import { startApp, type TestApp } from '../support/app.js';
import { childEnvironment, ENDS } from '../support/child-environment.js';
import { createPartner } from '../support/partner.js';
import { PublishedDocument } from '../support/published-document.js';
import { Receiver } from '../support/receiver.js';
import { installSdk } from '../support/sdk-package.js';

const DIST = join('sdk', 'dist');
const readme = readFileSync('sdk/README.md', 'utf8');

let checking: Promise<string>;

beforeAll(async () => {
  rmSync(DIST, { recursive: true, force: true });
  const built = await outputOf('sdk/scripts/build.mjs');
  if (!built.startsWith('0 ')) throw new Error(built);
  // The check runs beside the programs, which wait for most of their time.
  checking = outputOf('sdk/scripts/check.mjs');
}, 120_000);

describe('the package', () => {
  it('The package imports openapi-fetch alone, and uses no API of Node', () => {
    const texts = readdirSync(DIST)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(DIST, name), 'utf8'));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/\bfrom '([^'.][^']*)'/g)].map(([, name]) => name),
    );
    expect(imported).toEqual(['openapi-fetch']);
    expect(texts.join('')).not.toMatch(/\bprocess\b|\bBuffer\b|\brequire\(/);
  });

  it('The packed package is installed from its tarball, and has one client for `import` and one for `require`', async () => {
    await checking;
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-sdk-'));
    try {
      installSdk('sdk', folder);
      const print = 'console.log(typeof VaultlinePartner, typeof verifyWebhook)';
      writeFileSync(
        join(folder, 'a.cjs'),
        `const { VaultlinePartner, verifyWebhook } = require('@vaultline/sdk'); ${print}`,
      );
      writeFileSync(
        join(folder, 'a.mjs'),
        `import { VaultlinePartner, verifyWebhook } from '@vaultline/sdk'; ${print}`,
      );
      for (const program of ['a.cjs', 'a.mjs'])
        expect([program, await outputOf('--no-experimental-require-module', join(folder, program))]).toEqual([
          program,
          '0 function function\n',
        ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});

describe.each(CONTRACTS)('the programs of sdk/README.md in the %s contract', (contract) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(contract);
  });
  afterAll(() => app.close());

  it('The programs of sdk/README.md in the contract create users, and print a refusal', async () => {
    expect(await run('users', app)).toEqual([
      'acme:user-1 is active.',
      expect.stringMatching(/^Already usr_\w{26}\.$/),
      'acme:user-1 has 0 USDC, of which 0 can be withdrawn.',
      '1 user, 0 in vaults.',
      'No deposit was routed yet.',
    ]);
  });

  it('The programs of sdk/README.md in the contract verify webhooks', async () => {
    expect(await run('webhooks', app)).toEqual([
      expect.stringMatching(/^Verified: ./),
      'The test send was delivered.',
      'Refused: malformed_header.',
      'A forged one was answered 400.',
    ]);
  });

  it('The programs of sdk/README.md in the contract use a client with a method for each operation, whose reports, lists and administration succeed', async () => {
    const { key } = await createPartner(app.admin);
    const options = { apiKey: key, baseUrl: app.url };
    const client = contract === 'partner' ? new VaultlinePartner(options) : new VaultlineSandbox(options);
    const { operations } = new PublishedDocument(contract);
    const methods = client as unknown as Record<string, () => Promise<unknown>>;
    expect(
      operations.filter(({ operation }) => typeof methods[operation.operationId] !== 'function'),
    ).toEqual([]);
    const reports = operations.filter(
      ({ name, operation }) =>
        /^GET \/partner\/\w+$/.test(name) &&
        operation.parameters.every((parameter: { name: string }) => parameter.name === 'as_of'),
    );
    expect(reports.length).toBeGreaterThan(5);
    for (const { operation } of reports)
      expect(await methods[operation.operationId]!()).toHaveProperty('as_of');
    expect((await client.readYieldHistory('USDC', { interval: 'day' })).asset).toBe('USDC');
    const vaults = await client.listVaults({ limit: 2 }).take(5);
    expect(new Set(vaults.map(({ id }) => id)).size).toBe(5);
    const admin = new VaultlinePartner({ apiKey: app.adminKey, baseUrl: app.url });
    const created = await admin.createPartner({ name: 'Of the SDK' });
    const campaign = await admin.createCampaign(created.partner.id, {
      name: 'Spring',
      starts_at: '2026-01-01T00:00:00.000Z',
    });
    await admin.updateCampaign(created.partner.id, campaign.id, { status: 'disabled' });
    expect(await admin.listCampaigns(created.partner.id).take(2)).toMatchObject([{ status: 'disabled' }]);
    expect(await admin.revokeKey(created.api_key.id)).toMatchObject({ revoked: true });
  });

  if (contract === 'partner') return;

  it('The programs of sdk/README.md in the contract advance an account', async () => {
    expect(await run('sandbox', app)).toEqual([
      expect.stringMatching(/^240 hours with \d+ events\.$/),
      '0 deliveries.',
      'The position is active and earned something.',
      'Deposited 50000 USDC.',
    ]);
  });

  it('The programs of sdk/README.md in the contract await with advanceAndWait an outcome of each delivery', async () => {
    const { key } = await createPartner(app.admin);
    const sandbox = new VaultlineSandbox({ apiKey: key, baseUrl: app.url });
    const receiver = await Receiver.start((response, { path }) =>
      response.writeHead(path === '/hook' ? 200 : 500).end(),
    );
    try {
      const whole = await sandbox.createWebhook({ url: receiver.url });
      const failing = await sandbox.createWebhook({
        url: `${receiver.url}/down`,
        events: ['yield.threshold', 'position.rebalanced'],
      });
      const user = await sandbox.createUser({ external_id: 'tester:1' });
      await sandbox.createPosition({ user_id: user.id, asset: 'USDC', amount: 50_000 });
      await sandbox.simulation.scenario('volatile');
      let ended = await sandbox.simulation.advanceAndWait(240, { quietMs: 300 });
      for (let month = 0; month < 5 && ended.advance.rebalances === 0; month++)
        ended = await sandbox.simulation.advanceAndWait(744, { quietMs: 300 });
      expect(ended.settled).toBe(true);
      expect(ended.advance.events).toBeGreaterThan(0);
      const of = (id: string): string[] =>
        ended.deliveries.filter(({ webhook_id }) => webhook_id === id).map(({ status }) => status);
      expect(of(whole.id)).toEqual(Array(ended.advance.events).fill('delivered'));
      expect(of(failing.id)).toEqual(Array(ended.advance.events).fill('failed'));
      expect((await sandbox.listWebhookDeliveries({ status: 'pending' }).page()).data).toEqual([]);
    } finally {
      await receiver.close();
    }
  });
});

it('The package passes the checks of its contents, types and size', async () => {
  expect(await checking).toMatch(/^0 [^]*In a page: \d+ bytes, \d+ compressed\./);
}, 120_000);

/** The exit status of a program, a blank, and its whole output. */
async function outputOf(...command: string[]): Promise<string> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], ...ENDS });
  const [out, complaints, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return `${status} ${out}${complaints}`;
}

/** Runs a program as a reader of the guide would: as a module beside the package. @returns the lines that it printed */
async function run(program: string, app: TestApp): Promise<string[]> {
  const code = new RegExp(`<!-- program:${program} -->\\s*\`\`\`js\\n(.*?)^\`\`\``, 'ms').exec(readme)![1]!;
  const name = app.settings.contract === 'sandbox' ? 'VaultlineSandbox' : 'VaultlinePartner';
  const { key } = await createPartner(app.admin);
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    env: { ...childEnvironment(), VAULTLINE_API_KEY: key, VAULTLINE_URL: app.url, PORT: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...ENDS,
  });
  child.stdin.end(code.replaceAll('VaultlinePartner', name));
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await once(child, 'exit');
  const [out, complaints] = await printed;
  expect([status, complaints]).toEqual([0, '']);
  return out.trimEnd().split('\n');
}
