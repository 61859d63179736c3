import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { createDemoAccount } from '../../src/cli/demo-account.js';
import { SignInCodes } from '../../src/domain/tenants/access/sign-in-code.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { Receiver } from '../support/receiver.js';
import { chromiumPath, launchChromium } from './chromium.js';
import { ConsolePage } from './console-page.js';
import { checkStorage, inBrowser } from './journey.js';

const path = chromiumPath();

/** A tester's session: opens every screen, creates an endpoint, tests it, and moves the clock. */
inBrowser('the console of the sandbox', path, () => {
  let app: TestApp;
  let key: string;
  let browser: Browser;
  let console: ConsolePage;
  let receiver: Receiver;
  /** The status that the receiver answers with. */
  let answer = 200;

  beforeAll(async () => {
    app = await startApp('sandbox');
    key = await createDemoAccount(app.application as unknown as INestApplicationContext, undefined);
    receiver = await Receiver.start((response) => {
      response.statusCode = answer;
      response.end();
    });
    browser = await launchChromium(path!);
    console = await ConsolePage.open(browser, app.url);
    await console.page.goto(`${app.url}/console`);
    await console.page.getByLabel('API key').waitFor();
    await console.examine('sign-in');
    await console.signIn(key);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await receiver?.close();
    await app?.close();
  });

  afterEach(() => expect(console.problems).toEqual([]));

  it('The console shows every screen without an axe violation', async () => {
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
      'Sandbox',
      'Audit',
    ];
    for (const name of names) {
      await console.follow(name);
      await console.examine(name);
    }
  }, 60_000);

  it('The console shows an order of the account, without the actions and calls of an executor', async () => {
    const { page } = console;
    await console.follow('Orders');
    await page.getByRole('rowheader').getByRole('link').last().click();
    await page.getByText(/taken up .* by the server/).waitFor();
    const steps = page.getByRole('region', { name: 'Steps, table' });
    await steps.getByRole('row', { name: /^Arrived 20/ }).waitFor();
    expect(await page.getByRole('button', { name: /^(Take up|Report)/ }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Calls' }).count()).toBe(0);
    await console.examine('an order');
  }, 60_000);

  it('The console opens a decision with its candidates, gates and chart, by a URL that can be shared', async () => {
    await console.goTo('/decisions?kind=rebalance');
    await console.page
      .getByRole('region', { name: 'Decisions' })
      .getByRole('rowheader')
      .last()
      .getByRole('link')
      .click();
    const matrix = console.page.getByRole('region', { name: 'Candidates and gates' });
    await matrix.getByRole('rowheader', { name: 'Net gain' }).waitFor();
    expect(await matrix.getByRole('columnheader').count()).toBeGreaterThan(4);
    await console.page.reload();
    await matrix.getByRole('img', { name: 'passed' }).first().waitFor();
    await console.page.getByRole('img', { name: /yields around that hour/ }).waitFor();
    await console.settled();
    for (const name of ['Exposure', 'The plan of its hour'])
      expect(
        await console.page.getByRole('region', { name, exact: true }).locator('tbody tr').count(),
      ).toBeGreaterThan(0);
    await console.examine('a decision');
    // On paper each gate has a line that says what it asks.
    await console.page.emulateMedia({ media: 'print' });
    const asked = console.page.locator('.on-paper > div');
    expect(await asked.count()).toBeGreaterThan(15);
    expect(await asked.last().isVisible()).toBe(true);
    await console.page.emulateMedia({ media: 'screen' });
    expect(await asked.last().isVisible()).toBe(false);
    const downloading = console.page.waitForEvent('download');
    await console.page.getByRole('button', { name: 'CSV of Candidates and gates' }).click();
    const [head, ...lines] = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    expect(head).toMatch(/^vault_id,vault,action,chosen,apy,.*net_gain,net_gain_threshold,net_gain_passed/);
    expect(lines[0]).toMatch(/^vlt_\w+,[^,]+,move,true,/);
    // All columns but the labels and the bounds.
    expect(lines).toHaveLength((await matrix.getByRole('columnheader').count()) - 2);
  }, 60_000);

  it('The console says in the list of decisions which vault the funds are kept from, and by what', async () => {
    await console.goTo('/decisions?kind=hold');
    const reasons = await console.page.locator('.reason').allTextContents();
    expect(reasons.length).toBeGreaterThan(3);
    for (const reason of reasons)
      expect(reason).toMatch(
        / would gain [\d,.]+ USD[CT] in \d+ days, .* It fails [A-Z]|^no vault|best of the others/,
      );
  }, 60_000);

  it('The console changes the policy below the decisions, and shows what is in force', async () => {
    await console.goTo('/decisions');
    const panel = console.page.getByRole('region', { name: 'Policy' });
    for (const paused of [true, false]) {
      await panel.getByRole('button', { name: 'Change' }).click();
      await panel.getByLabel('Paused').setChecked(paused);
      if (paused) await console.examine('a policy that is changed');
      await panel.getByRole('button', { name: 'Put it in force' }).click();
      const words = paused ? /^paused: deposits wait in cash, positions stay/ : /^only /;
      await panel.getByText(words).first().waitFor();
    }
  }, 60_000);

  it('The console previews a deposit below the policy, with its alternatives', async () => {
    await console.goTo('/decisions');
    const panel = console.page.getByRole('region', { name: 'Preview' });
    await panel.getByLabel('Amount').fill('2500');
    await panel.getByRole('button', { name: 'Ask' }).click();
    await panel.getByText('Goes to').waitFor();
    await console.page.getByRole('region', { name: 'Candidates and gates' }).waitFor();
    await console.examine('a preview');
  }, 60_000);

  it('The console links a user to a position, and that to the decision that chose its vault', async () => {
    await console.goTo('/users?q=cleo');
    await console.page.getByRole('link', { name: 'demo:cleo' }).click();
    await console.page.getByRole('heading', { level: 1, name: 'demo:cleo' }).waitFor();
    await console.page.getByRole('region', { name: 'What routing brought' }).first().waitFor();
    await console.settled();
    await console.examine('a user');
    await console.page
      .getByRole('region', { name: 'Positions' })
      .getByRole('rowheader')
      .getByRole('link')
      .first()
      .click();
    await console.page.getByRole('heading', { level: 1, name: 'Position' }).waitFor();
    await console.settled();
    await console.examine('a position');
    await console.page.getByRole('link', { name: 'decision', exact: true }).last().click();
    await console.page.getByRole('region', { name: 'Candidates and gates' }).waitFor();
    await console.settled();
  }, 60_000);

  it('The console withdraws everything of an end-user’s asset after a preview, and finds the withdrawal by its id', async () => {
    const { page } = console;
    await console.goTo('/users?q=ada');
    await page.getByRole('link', { name: 'demo:ada' }).click();
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw for demo:ada' });
    await dialog.getByRole('combobox', { name: 'Asset' }).selectOption('USDT');
    await dialog.getByLabel(/^Everything/).check();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('region', { name: 'Parts, table' }).getByRole('rowheader').waitFor();
    await dialog.getByText(/USDT of .* available/).waitFor();
    // A changed request needs another preview.
    await dialog.getByLabel(/^Everything/).uncheck();
    await dialog.getByRole('button', { name: 'Withdraw the amount' }).waitFor({ state: 'detached' });
    await dialog.getByLabel(/^Everything/).check();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await console.examine('a withdrawal that is previewed');
    await dialog.getByRole('button', { name: 'Withdraw the amount' }).click();
    await page.getByText(/^paid\. Its amount has left the positions\./).waitFor();
    await console.settled();
    const balances = page.getByRole('region', { name: 'Balances, table' });
    await balances.getByRole('cell', { name: 'USDT', exact: true }).waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: 'Withdrawals, table' })
      .getByRole('row', { name: /paid .* USDT .* 1 position/ })
      .waitFor();
    await page.getByRole('status').getByRole('link', { name: /^wdr_/ }).click();
    await page.getByText('the server paid it at once').waitFor();
    expect(await page.getByRole('button', { name: /^(Take up|Report)/ }).count()).toBe(0);
    await console.settled();
    await console.examine('a withdrawal');
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    await console.follow('Withdrawals');
    await page.getByRole('link', { name: 'demo:ada' }).first().waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Withdrawal', exact: true }).waitFor();
    await console.settled();
  }, 60_000);

  it('The console adds an end-user, changes it and blocks it', async () => {
    const { page } = console;
    await console.goTo('/users');
    await page.getByRole('button', { name: 'Add a user' }).click();
    await page.getByLabel(/^External id:/).fill('demo:zoe');
    await console.examine('a new user');
    await page.getByRole('button', { name: 'Add the user' }).click();
    await page.getByRole('heading', { level: 1, name: 'demo:zoe' }).waitFor();
    await console.settled();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Label').fill('Zoe Z.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Zoe Z. ·').waitFor();
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('button', { name: 'Block the user' }).click();
    await page.getByText('blocked', { exact: true }).waitFor();
    const colourOf = (name: string): Promise<string> =>
      page.evaluate(
        `getComputedStyle([...document.querySelectorAll('main button')].find(({ textContent }) => textContent === '${name}')).color`,
      );
    expect(await colourOf('Unblock')).toBe(await colourOf('Edit'));
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('button', { name: 'Unblock the user' }).click();
    await page.getByText('active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor();
    expect(await colourOf('Block')).not.toBe(await colourOf('Edit'));
  }, 60_000);

  it('The console shows amounts of tiles to the cent, and the rest on hover and to screen readers', async () => {
    const { page } = console;
    await console.goTo('/');
    const tile = page.locator('.tile', { hasText: 'Net TVL' }).locator('.tile-figure');
    const exact = (await tile.locator('.figure').getAttribute('title'))!;
    expect(exact).toMatch(/^exactly [\d,]+\.\d{6}$/);
    const whole = exact.replace('exactly ', '');
    expect(await tile.locator('[aria-hidden]').textContent()).toBe(whole.slice(0, -4));
    expect(await tile.locator('.heard').textContent()).toBe(whole);
    expect(await page.locator('.tile-figure .below-cent').count()).toBe(0);
  });

  it('The console shows the first figure of the overview on the first screen of a phone', async () => {
    const { page } = console;
    await console.goTo('/');
    await page.setViewportSize({ width: 390, height: 844 });
    const box = (await page.locator('.tile-figure').first().boundingBox())!;
    expect(box.y + box.height).toBeLessThan(422);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('The front page names the contract and leads to the console by the keyboard, without an axe violation', async () => {
    const { page } = console;
    await page.goto(`${app.url}/`);
    await page.getByRole('heading', { level: 1, name: 'Vaultline Sandbox API' }).waitFor();
    await console.examine('the front page');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/console`);
    await console.settled();
  }, 60_000);

  it('The console sorts a table, saves it as CSV, and shows name and amount on a phone', async () => {
    const { page } = console;
    await console.goTo('/positions');
    const table = page.getByRole('region', { name: 'Positions, table' });
    const values = () => table.locator('td.key').allTextContents();
    const shown = await values();
    await table.getByRole('button', { name: 'Value' }).click();
    const amount = (text: string) => Number.parseFloat(text.replaceAll(',', ''));
    expect(await values()).toEqual(shown.toSorted((a, b) => amount(b) - amount(a)));
    await table.locator('th[aria-sort="descending"]').waitFor();
    await table.getByRole('rowheader').first().waitFor();
    await table.getByText('demo:cleo').first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV of Positions' }).click();
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv.split('\r\n')).toHaveLength(shown.length + 2);
    expect(csv).toMatch(/^\ufeffid,/);
    const isWithin = async (): Promise<boolean> => {
      const [box, width] = [await table.locator('td.key').first().boundingBox(), page.viewportSize()!.width];
      return box !== null && box.x >= 0 && box.x + box.width <= width;
    };
    expect(await isWithin()).toBe(true);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('.frame.more-behind').waitFor();
    expect(await isWithin()).toBe(true);
    for (const link of await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').all()) {
      const box = (await link.boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(360);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }, 60_000);

  it('The console creates an endpoint, shows its secret once, and tests it', async () => {
    await console.goTo('/webhooks');
    await console.page.getByRole('button', { name: 'New endpoint' }).click();
    await console.page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await console.examine('a new endpoint');
    await console.page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = console.page.getByRole('region', { name: 'The signing secret' });
    await secret.getByText(/^whsec_[^*]+$/).waitFor();
    for (const language of ['Python', 'Go', 'Ruby', 'PHP']) {
      await secret.getByRole('button', { name: language, exact: true }).click();
      await secret.getByLabel(`Verifier in ${language}`).waitFor();
    }
    await console.examine('the secret');
    await secret.getByRole('button', { name: 'I have stored it' }).click();
    await console.page.getByRole('button', { name: `Send a test to ${receiver.url}` }).click();
    await console.page.getByText(/delivered, 200/).waitFor();
    expect(receiver.received.map(({ headers }) => headers['webhook-signature'])).toEqual([
      expect.stringMatching(/^t=/),
    ]);
    await console.page.getByRole('link', { name: 'Delivery log' }).click();
    await console.page.getByRole('button', { name: /^Show/ }).first().click();
    await console.page.getByText('"type": "system.status"').waitFor();
    await console.examine('a delivery');
    await console.page.keyboard.press('Escape');
  }, 60_000);

  it('The console shows the health of an endpoint, checks its receiver, rotates its secret, and lists what it missed', async () => {
    const { page } = console;
    answer = 500;
    await console.goTo('/webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await console.settled();
    await page.getByText('100.0 %').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page
      .getByText(/failed after .* with 500/)
      .first()
      .waitFor();
    await page.getByText('failing', { exact: true }).waitFor();
    await page
      .getByRole('img', { name: /^Deliveries over time\. .* 2 events, of which 1 failed\./ })
      .waitFor();
    await page.getByText('Table: Deliveries over time').press('Enter');
    const hours = page.getByRole('region', { name: 'Deliveries over time, table' });
    await hours.getByRole('cell').first().waitFor();
    expect(await hours.getByRole('row').last().getByRole('cell').allTextContents()).toEqual(['2', '1']);
    answer = 200;
    await page.getByRole('button', { name: 'Check it step by step' }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('An event would be delivered there.').waitFor();
    await console.examine('a check');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByText(/^Both secrets are valid until/).waitFor();
    await page.getByText(/^the one before until/).waitFor();
    await console.settled();
    await page.getByText('The loop that fetches them').click();
    await page.getByLabel('Loop that fetches missed events').getByText('undelivered_to').waitFor();
    await console.examine('an endpoint');
  }, 60_000);

  it('The console advances the clock, day by day, and raises an event', async () => {
    await console.follow('Sandbox');
    await console.page.getByRole('button', { name: '+1 week' }).click();
    await console.page.getByText(/^168 of 168 hours run/).waitFor({ timeout: 30_000 });
    await console.page.getByRole('button', { name: 'Raise the event' }).click();
    await console.page.getByText(/^Raised/).waitFor();
    await console.page.getByRole('button', { name: 'Reset the account' }).click();
    await console.page.getByRole('heading', { name: 'Forget everything that happened?' }).waitFor();
    await console.page.keyboard.press('Escape');
  }, 60_000);

  it('The console finds an end-user by `/` from anywhere, and a record by its id', async () => {
    const { page } = console;
    await console.follow('Yields');
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: /^An id, or/ }).fill('cleo');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('link', { name: /^End-user demo:cleo/ }).waitFor();
    await console.examine('a search');
    await dialog.getByRole('link', { name: /^Positions of demo:cleo/ }).click();
    const position = page.getByRole('region', { name: 'Positions, table' }).getByRole('rowheader').first();
    await position.waitFor();
    const id = (await position.locator('code').getAttribute('title'))!;
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: /^An id, or/ }).fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Position', exact: true }).waitFor();
  }, 60_000);

  it('The console shows the money map by venue against its limits, and compares vaults', async () => {
    const { page } = console;
    await console.goTo('/money?by=tier');
    const map = page.getByRole('region', { name: 'Where it is, table' });
    await map
      .getByRole('rowheader', { name: /^(low|medium|high)$/ })
      .first()
      .waitFor();
    await page.getByRole('img', { name: /^Over time/ }).waitFor();
    await page.getByText('Table: Over time').click();
    const steps = page.getByRole('region', { name: 'Over time, table' });
    await steps.getByRole('rowheader').first().waitFor();
    const vaults = page.getByRole('group', { name: 'Vaults' }).getByRole('checkbox');
    await vaults.nth(2).check();
    const compared = page.getByRole('region', { name: 'Compared vaults, table' });
    await compared.getByRole('rowheader').nth(2).waitFor();
    for (const name of ['Base APY', 'Reward APY'])
      await compared.getByRole('columnheader', { name }).waitFor();
    await console.settled();
    await console.examine('the money map');
  }, 60_000);

  it('The console keeps one date range on every screen, and shows each month as a printable statement, as CSV and as a closing package', async () => {
    const { page } = console;
    await console.goTo('/');
    await page.getByRole('combobox', { name: 'Span' }).selectOption('7');
    await console.follow('Decisions');
    expect(await page.getByRole('combobox', { name: 'Span' }).inputValue()).toBe('7');
    await console.follow('Statements');
    await page.getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Print' }).waitFor();
    await console.settled();
    await console.examine('a statement');
    const over =
      "[...document.querySelectorAll('.scroll')].map((table) => table.scrollWidth - table.clientWidth)";
    expect(new Set(await page.evaluate<number[]>(over))).toEqual(new Set([0]));
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV of By end-user' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^vaultline-[a-z0-9-]+-statement-users-\d{4}-\d\d\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^\ufeffobject,user_id,external_id,/);
  }, 60_000);

  it('The console shows the year of an end-user by asset and at par, to be printed, from the user’s screen', async () => {
    const { page } = console;
    await console.goTo('/users?q=ada');
    await page.getByRole('rowheader').getByRole('link').first().click();
    await page
      .getByRole('link', { name: /^\d{4}$/ })
      .first()
      .click();
    await page.getByRole('rowheader', { name: 'Total at par' }).waitFor();
    await console.settled();
    await console.examine('the year of an end-user');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('rowheader', { name: 'Total at par' }).isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV of' }).click();
    expect((await downloading).suggestedFilename()).toMatch(
      /^vaultline-[a-z0-9-]+-statement-users-\d{4}\.csv$/,
    );
    await console.follow('Statements');
    await page
      .getByRole('row', { name: /closed/ })
      .getByRole('link')
      .first()
      .click();
    const packaging = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Closing package' }).click();
    const zip = await readFile(await (await packaging).path());
    expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  }, 60_000);

  it('The console shows the audit log with actor, operation, and values before and after', async () => {
    const { page } = console;
    await console.goTo('/audit');
    const log = page.getByRole('region', { name: 'Changes, table' });
    await log.getByText('updateUser').first().waitFor();
    await console.examine('the audit log');
    await page.getByRole('button', { name: 'CSV of Changes' }).waitFor();
  }, 60_000);

  it('The console shares the session with a tab that a ctrl-click opens, and ends it in both', async () => {
    await console.goTo('/');
    const opening = console.page.context().waitForEvent('page');
    const link = console.page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Users' });
    await link.click({ modifiers: ['ControlOrMeta'] });
    const other = await opening;
    await other.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await console.page.getByLabel('API key').waitFor();
    await other.close();
    await console.signIn(key);
  }, 60_000);

  it('The console shows each screen’s request as curl, without the key', async () => {
    await console.follow('Overview');
    await console.page.getByRole('button', { name: 'as curl' }).click();
    const commands = (await console.page.getByLabel('Commands').textContent()) ?? '';
    expect(commands).toContain(`curl '${app.url}/api/v1/partner/summary'`);
    expect(commands).toContain('Authorization: Bearer $VAULTLINE_KEY');
    expect(commands).not.toContain(await console.sessionKey());
  });

  it('The console stores a session key only, and none after signing out', () => checkStorage(console, app));

  it('The console signs in once by a code in the URL, and removes it from the URL', async () => {
    const { id } = (await app.admin.as(key).get('/sessions/current')).body.data;
    const code = await app.application.get(SignInCodes).create(id);
    const link = `${app.url}/console#code=${code}`;
    await console.page.goto(link);
    await console.page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(console.page.url()).toBe(`${app.url}/console`);
    await console.page.getByRole('button', { name: 'Sign out' }).click();
    await console.page.goto(link);
    await console.page.getByRole('alert').waitFor();
    expect(console.page.url()).toBe(`${app.url}/console`);
    expect((await console.kept()).session).toEqual([]);
    expect(console.problems.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  it.each([
    ['the tab that shows the console', ''],
    ['a tab that loads it anew', '/decisions'],
  ])('A code that is refused leaves a signed-in tab signed in, and says why: %s', async (_, path) => {
    await console.signIn(key);
    await console.goTo(path);
    const kept = await console.sessionKey();
    await console.page.goto(`${app.url}/console#code=vlc_sandbox_unknown`);
    const refusal = console.page.getByRole('region', { name: 'Sign-in link' });
    await refusal.getByRole('alert').waitFor();
    await console.page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(console.page.url()).toBe(`${app.url}/console`);
    expect(await console.sessionKey()).toBe(kept);
    await console.page.getByRole('button', { name: 'Dismiss' }).click();
    await refusal.waitFor({ state: 'detached' });
    await console.page.reload();
    await console.page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await console.page.getByRole('button', { name: 'Sign out' }).click();
    expect(console.problems.splice(0)).toEqual([expect.stringContaining('401')]);
  });
});
