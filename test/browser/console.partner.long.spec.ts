import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { withDomain } from '../../src/cli/context.js';
import { createDemoPartner } from '../../src/cli/demo-partner.js';
import type { Constants } from '../../src/config/constants.js';
import { loadSettings, type Settings } from '../../src/config/settings.js';
import { startApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { newTxHash } from '../support/market.js';
import { Receiver } from '../support/receiver.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { chromiumPath, launchChromium } from './chromium.js';
import { ConsolePage } from './console-page.js';
import { checkStorage, documentedTasks, inBrowser, walkTasks } from './journey.js';
import { change } from '../support/change.js';

const SIMULATED = { YIELDS: 'simulated' };
const REPORTED = { ...SIMULATED, SETTLEMENT: 'reported' };
/** The engine runs each hour of these days, on top of what a start runs. */
const DEMO_DAYS = 20;
const MOST_SCRIPT = 120 * 1024;
const path = chromiumPath();

it('The console is at most 120 KB of script, gzipped, in all', () => {
  const folder = 'dist/console/assets';
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const sizes = scripts.map((name) => gzipSync(readFileSync(`${folder}/${name}`)).length);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST_SCRIPT);
});

/** Simulated vaults are on no chain: these have a contract each, so that orders have calls. */
function onContracts(_: Constants, { vaults }: Settings): void {
  for (const [at, vault] of vaults.filter(({ chain }) => chain !== null).entries())
    change(vault, {
      exitDelayHours: 0,
      onChain: { standard: 'erc4626', address: `0x${String(at + 1).padStart(40, '0')}` },
    });
}

/** A partner looks at its book; then the operator looks at the deployment. */
inBrowser('the console of the live contract', path, () => {
  let database: TestDatabase;
  let app: TestApp;
  let browser: Browser;
  let console: ConsolePage;
  let accountKey: string;
  let receiver: Receiver;

  beforeAll(async () => {
    database = await createTestDatabase();
    // The demo data is made before the server starts, so that every report has figures.
    const settings = loadSettings({
      ...SIMULATED,
      CONTRACT: 'partner',
      DATABASE_URL: database.url,
      SECRETS_KEY,
    });
    accountKey = (await withDomain(settings, (context) => createDemoPartner(context, {}, DEMO_DAYS)))
      .account_key;
    app = await startApp('partner', REPORTED, database, onContracts);
    receiver = await Receiver.start();
    browser = await launchChromium(path!);
    console = await ConsolePage.open(browser, app.url);
    await console.signIn(accountKey);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await receiver?.close();
    await app?.close();
    await database?.drop();
  });

  afterEach(() => expect(console.problems).toEqual([]));

  it('The console shows a partner every screen that this contract has', async () => {
    const names = [
      'Overview',
      'Decisions',
      'Money map',
      'Yields',
      'Users',
      'Positions',
      'Orders',
      'Withdrawals',
      'Statements',
      'Webhooks',
      'Audit',
    ];
    const links = console.page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(names);
    expect(await console.page.locator('.session-partner').innerText()).toBe('Demo partner');
    await console.page.getByText(/^Yields of this deployment are simulated/).waitFor();
    for (const name of names) {
      await console.follow(name);
      await console.examine(name);
    }
  }, 60_000);

  it('The console creates an endpoint, tests it, and deactivates it', async () => {
    await console.goTo('/webhooks');
    await console.page.getByRole('button', { name: 'New endpoint' }).click();
    await console.page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await console.page.getByRole('button', { name: 'Create', exact: true }).click();
    await console.page.getByRole('button', { name: 'I have stored it' }).click();
    await console.page.getByRole('button', { name: `Deactivate ${receiver.url}` }).click();
    await console.page
      .getByRole('row', { name: receiver.url })
      .getByText('inactive', { exact: true })
      .waitFor();
    await console.page.getByRole('button', { name: `Send a test to ${receiver.url}` }).click();
    await console.page.getByText(/delivered, 200/).waitFor();
    await console.page.getByRole('link', { name: receiver.url }).click();
    await console.page.getByRole('button', { name: 'Change URL and events' }).click();
    await console.page.getByLabel('Name (optional)').fill('Ledger sync');
    await console.page.getByLabel('yield.threshold').uncheck();
    await console.page.getByRole('button', { name: 'Save', exact: true }).click();
    await console.page.getByRole('heading', { level: 1, name: 'Ledger sync' }).waitFor();
    await console.goTo('/webhooks/deliveries?status=delivered');
    await console.page.getByRole('region', { name: 'Deliveries' }).waitFor();
    await console.examine('the delivery log');
  }, 60_000);

  it('The console stores a session key only, and none after signing out', () => checkStorage(console, app));

  it('The console explains a refused key, with the code and the request id', async () => {
    await console.page.getByLabel('API key').fill('vl_live_wrong');
    await console.page.getByLabel('API key').press('Enter');
    const refusal = console.page.getByRole('alert');
    await refusal.getByText('invalid_api_key').waitFor();
    await refusal.getByText(/^req_/).waitFor();
    // The browser itself reports an answer of 401.
    expect(console.problems.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  it('The console signs a key in with all that it may, or to look only, and says which key has nothing to look at', async () => {
    const { page } = console;
    const scopesOf = async (): Promise<string[]> =>
      (await app.admin.as(await console.sessionKey()).get('/sessions/current')).body.data.scopes;
    await console.signIn(app.adminKey);
    expect(await scopesOf()).toEqual(['keys:admin', 'partner:admin']);
    const { secret } = (await app.admin.post('/keys', { label: 'Both', scopes: ['read', 'write'] })).body
      .data;
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await signOut.click();
    await console.signIn(secret);
    expect(await scopesOf()).toEqual(['read', 'write']);
    for (const key of [secret, app.adminKey]) {
      await signOut.click();
      await page.getByLabel('API key').fill(key);
      await page.getByLabel(/^Only look/).check();
      await page.getByLabel('API key').press('Enter');
      if (key === secret) {
        await signOut.waitFor();
        expect(await scopesOf()).toEqual(['read']);
      }
    }
    await page
      .getByRole('alert')
      .getByText(/keys:admin, partner:admin: untick/)
      .waitFor();
    await console.examine('a key with nothing to look at');
    await page.getByLabel(/^Only look/).uncheck();
    await page.getByLabel('API key').press('Enter');
    await signOut.waitFor();
    await console.goTo('/administration/partners');
    await page
      .getByRole('row', { name: /^Demo partner/ })
      .getByRole('cell', { name: /^[\d,]{5,}\.\d\d/ })
      .waitFor();
    await signOut.click();
  }, 60_000);

  it('The console explains how to create a partner and a key, creates a campaign, and revokes a key', async () => {
    await console.signIn(app.adminKey);
    await console.page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor();
    await console.page.getByRole('button', { name: 'New partner' }).click();
    await console.page.getByRole('textbox', { name: 'Name' }).fill('Harbour Pay');
    await console.page
      .getByLabel('Command that makes the partner')
      .getByText('"name":"Harbour Pay"')
      .waitFor();
    await console.page.keyboard.press('Escape');
    await app.admin.post('/partners', { name: 'Harbour Pay' });
    await console.page.reload();
    await console.examine('partners');
    await console.page.getByRole('link', { name: 'Campaigns of Harbour Pay' }).click();
    await console.page.getByRole('button', { name: 'New campaign' }).click();
    await console.page.getByRole('textbox', { name: 'Name' }).fill('First month');
    await console.page.getByRole('button', { name: 'Create', exact: true }).click();
    await console.page.getByRole('rowheader', { name: 'First month' }).waitFor();
    await console.examine('campaigns');
    await console.page.getByRole('link', { name: 'Keys', exact: true }).click();
    await console.page.getByRole('button', { name: 'New key' }).click();
    await console.page.getByRole('textbox', { name: 'Label' }).fill('Auditor');
    await console.page.getByRole('combobox', { name: 'Ends' }).selectOption('30');
    await console.page.getByLabel('Command that makes the key').getByText('"label":"Auditor"').waitFor();
    await console.page.keyboard.press('Escape');
    await app.admin.post('/keys', { label: 'Auditor', scopes: ['read'] });
    await console.page.reload();
    await console.page.getByRole('button', { name: 'Revoke Auditor' }).click();
    await console.page.getByRole('button', { name: 'Revoke the key' }).click();
    await console.page
      .getByRole('row', { name: /^Auditor/ })
      .getByText('revoked')
      .waitFor();
    await console.examine('keys');
    await console.page.getByRole('link', { name: 'Health' }).click();
    await console.page.getByText('ready').first().waitFor();
    await console.page.getByRole('table').getByRole('rowheader', { name: 'delivered' }).waitFor();
    await console.page.getByText('Replicas seen').waitFor();
    await console.examine('health');
  }, 60_000);

  it('The console sets the operator’s bounds on a policy, and registers a receiver of alerts', async () => {
    const { page } = console;
    await console.goTo('/administration/partners');
    await page.getByRole('link', { name: 'Bounds of Harbour Pay' }).click();
    const bounds = page.getByRole('region', { name: 'Bounds of the policy' });
    await bounds.getByRole('button', { name: 'Change' }).click();
    await bounds.getByLabel('Highest risk').selectOption('medium');
    await console.examine('bounds that are changed');
    await bounds.getByRole('button', { name: 'Put it in force' }).click();
    await bounds.getByText('at most medium risk').first().waitFor();
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('button', { name: 'New receiver' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: `Send a test to ${receiver.url}` }).click();
    await page.getByText(`Test event to ${receiver.url}: delivered`).waitFor();
    await page.getByText('delivered to 1').waitFor();
    await console.examine('alerts');
    await page.getByRole('button', { name: `Delete ${receiver.url}` }).click();
    await page.getByRole('button', { name: 'Delete the receiver' }).click();
    await page.getByRole('row', { name: receiver.url }).waitFor({ state: 'detached' });
  }, 60_000);

  it('The console shows an executor settlements and moves, and takes up a move', async () => {
    const { secret } = (await app.admin.post('/keys', { label: 'Executor', scopes: ['read', 'write'] })).body
      .data;
    const [user] = (await app.admin.as(accountKey).get('/partner/users')).body.data;
    const input = { user_id: user.id, asset: 'USDC', amount: 1000, tx_hash: newTxHash(), allocated: false };
    expect(await app.admin.as(secret).post('/positions', input)).toMatchObject({ status: 201 });
    await console.page.getByRole('button', { name: 'Sign out' }).click();
    await console.signIn(secret);
    await console.goTo('/administration/settlements');
    await console.page.getByRole('button', { name: /^Show set_/ }).click();
    await console.page.getByText(input.tx_hash).waitFor();
    await console.examine('a settlement');
    await console.page.getByRole('link', { name: 'moves of its deposit' }).click();
    await console.page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await console.page.getByRole('rowheader').getByRole('link').first().waitFor();
    await console.examine('orders');
    await console.page.getByRole('rowheader').getByRole('link').first().click();
    await console.page.getByRole('button', { name: 'Take up' }).click();
    await console.page.getByText(/^arriving\. /).waitFor();
    await console.page.getByLabel('Account that holds the funds').fill(`0x${'5f'.repeat(20)}`);
    await console.page.getByRole('button', { name: 'Show the calls' }).click();
    const calls = console.page.getByRole('region', { name: 'Calls of contracts, table' });
    await calls.getByRole('rowheader', { name: 'Deposit' }).waitFor();
    expect(await calls.getByRole('rowheader').allTextContents()).toEqual(['Approve', 'Deposit']);
    expect(await calls.locator('code[title^="0x6e553f65"]').count()).toBe(1);
    await calls.getByText('1000000000').first().waitFor();
    await console.page.getByText(/taken up .* by (key|ses)_/).waitFor();
    await console.examine('an order');
    await console.page.getByRole('button', { name: 'Report the arrival' }).click();
    await console.page.getByLabel(/^Hash of the transfer/).waitFor();
    await console.page.keyboard.press('Escape');
    await console.page.getByRole('link', { name: /^pos_/ }).click();
    await console.page.getByRole('heading', { level: 1, name: 'Position', exact: true }).waitFor();
    await console.settled();
  }, 60_000);

  it('The console shows a partner the states of its orders, without the actions of an executor', async () => {
    const { page } = console;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await console.signIn(accountKey);
    await console.follow('Orders');
    await page.getByRole('rowheader').getByRole('link').first().click();
    const steps = page.getByRole('region', { name: 'Steps, table' });
    await steps.getByRole('row', { name: /^Taken up 20/ }).waitFor();
    await console.settled();
    expect(await page.getByRole('button', { name: 'Report the arrival' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Take up' }).count()).toBe(0);
    await page.getByText(/taken up .* by (key|ses)_/).waitFor();
    await console.examine('an order of a partner');
  }, 60_000);

  it('The console takes the clicks that docs/console.md names for each task', async () => {
    const partner = app.admin.as(accountKey);
    const { id } = (await partner.post('/webhooks', { url: 'http://127.0.0.1:9/hook' })).body.data;
    await partner.post(`/webhooks/${id}/test`);
    const isAdministrators = (task: string) => task.includes('share');
    const walked = await walkTasks(console, (task) => !isAdministrators(task));
    const [{ id: partnerId }] = (await app.admin.get('/partners')).body.data;
    await app.admin.patch(`/partners/${partnerId}`, { revenue_share_bps: 2500 });
    await console.page.getByRole('button', { name: 'Sign out' }).click();
    await console.signIn(app.adminKey);
    change(walked, await walkTasks(console, isAdministrators));
    await console.page.getByText('revenue_share_bps: 4000 → 2500').waitFor();
    expect(walked).toEqual(documentedTasks());
  }, 120_000);

  it('The console warns an administrator while no feed has answered', async () => {
    const silent = await startApp('partner', { DEFILLAMA_BASE_URL: 'http://127.0.0.1:9' });
    try {
      const scopes = ['partner:admin'];
      const { secret } = (await silent.admin.post('/keys', { label: 'Operator', scopes })).body.data;
      const page = await ConsolePage.open(browser, silent.url);
      await page.signIn(secret);
      await page.page.getByText(/^No feed has answered yet/).waitFor();
      await page.examine('a silent deployment');
      expect(page.problems).toEqual([]);
      await page.close();
    } finally {
      await silent.close();
    }
  }, 60_000);
});
