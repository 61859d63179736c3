import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { DAY_MS } from '../../src/domain/kernel/clock.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { chromiumPath, launchChromium } from './chromium.js';
import { ConsolePage } from './console-page.js';
import { inBrowser } from './journey.js';

const path = chromiumPath();

/** An administrator settles an invoice, and its partner sees it. */
inBrowser('the console of invoices', path, () => {
  let market: TestMarket;
  let browser: Browser;
  let console: ConsolePage;
  let month: string;

  beforeAll(async () => {
    market = await startMarket('partner', { early: true });
    const user = await market.createUser();
    for (const asset of ['USDC', 'USDT0']) await market.deposit(user, 50_000, asset);
    month = market.now().toISOString().slice(0, 7);
    const cycle = market.app.application.get(HourlyCycle);
    while (market.now().toISOString().startsWith(month)) {
      market.pass(DAY_MS);
      await cycle.run();
    }
    browser = await launchChromium(path!);
    console = await ConsolePage.open(browser, market.app.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await market?.close();
  });
  afterEach(() => expect(console.problems).toEqual([]));

  const rowOf = (table: string, name: RegExp) =>
    console.page.getByRole('region', { name: `${table}, table` }).getByRole('row', { name });
  const ofUsdc = () => rowOf('Invoices', new RegExp(`${month} USDC`));

  it('The console shows a partner its open invoices, and the trial balance beside a statement', async () => {
    const { page } = console;
    await console.signIn(market.partner.key);
    await console.follow('Statements');
    await ofUsdc().getByText('open', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Settle/ }).count()).toBe(0);
    await console.examine('statements with invoices');
    await page.getByRole('link', { name: month, exact: true }).click();
    await rowOf('Trial balance', /Fees receivable USDC/).waitFor();
    await console.settled();
    await console.examine('a statement with its trial balance');
    const [vaults, users] = await Promise.all(
      [/^Vaults USDC/, /^End-users USDC/].map((name) =>
        rowOf('Trial balance', name).getByRole('cell').last().textContent(),
      ),
    );
    expect(users!.replace(/^[^\d]+/, '')).toBe(vaults);
    await page.getByRole('button', { name: 'CSV of Trial balance' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
  }, 60_000);

  it('The console settles an invoice for an administrator, and shows the refusal of a value date in a closed day', async () => {
    const { page } = console;
    await console.signIn(market.app.adminKey);
    await console.goTo('/administration/invoices');
    await page.getByRole('button', { name: `Settle ${month} USDC`, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Settle an invoice' });
    await dialog.getByLabel('Reference').fill('SEPA 4711');
    await dialog.getByLabel(/^Value date/).fill(`${month}-28T12:00`);
    await dialog.getByRole('button', { name: 'Settle' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/must not lie in a closed day/)
      .waitFor();
    // The browser itself reports an answer of 400.
    expect(console.problems.splice(0)).toEqual([expect.stringContaining('400')]);
    await console.examine('the form of an invoice');
    await dialog.getByLabel(/^Value date/).fill('');
    await dialog.getByRole('button', { name: 'Settle' }).click();
    await page.getByText(`The invoice of ${month} in USDC is paid.`).waitFor();
    await ofUsdc().getByText('SEPA 4711').waitFor();
    expect(await page.getByRole('button', { name: /^Settle/ }).count()).toBe(1);
    await console.examine('invoices of a partner');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await console.signIn(market.partner.key);
    await console.follow('Statements');
    await ofUsdc().getByText('paid', { exact: true }).waitFor();
  }, 60_000);
});
