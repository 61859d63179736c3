import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { change } from '../support/change.js';
import { dataOf } from '../support/fields.js';
import { newTxHash } from '../support/market.js';
import { A, MovesStage } from '../support/moves.js';
import type { TestPartner } from '../support/partner.js';
import { chromiumPath, launchChromium } from './chromium.js';
import { ConsolePage } from './console-page.js';
import { inBrowser } from './journey.js';

const path = chromiumPath();
const WALLETS = ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'];

/** A partner withdraws an end-user's money; then the executor pays it. */
inBrowser('the console of withdrawals that an executor pays', path, () => {
  let stage: MovesStage;
  let partner: TestPartner;
  let user: string;
  let executorKey: string;
  let browser: Browser;
  let console: ConsolePage;

  beforeAll(async () => {
    stage = await MovesStage.start();
    // Pays out at once, so that a withdrawal has calls.
    change(stage.vault(A), { exitDelayHours: 0 });
    ({ partner, user } = await stage.party());
    dataOf(await partner.api.patch(`/users/${user}`, { wallets: WALLETS }), 200);
    for (const amount of [300, 250]) await stage.deposit(user, amount);
    const { admin, url } = stage.market.app;
    executorKey = dataOf(
      await admin.post('/keys', { label: 'Executor', scopes: ['read', 'write'] }),
      201,
    ).secret;
    browser = await launchChromium(path!);
    console = await ConsolePage.open(browser, url);
    await console.signIn(partner.key);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  afterEach(() => expect(console.problems).toEqual([]));

  const dialogOf = (name: string | RegExp) => console.page.getByRole('dialog', { name });
  /** Requests a withdrawal on the page of the end-user. */
  const withdraw = async (amount: string): Promise<void> => {
    const { page } = console;
    await console.goTo(`/users/${user}`);
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const dialog = dialogOf(/^Withdraw for market:/);
    await dialog.getByLabel('Wallet that is paid').selectOption(WALLETS[1]!);
    await dialog.getByLabel('Amount, in USDC').fill(amount);
    await dialog.getByRole('button', { name: 'Preview' }).click();
  };
  const signInAs = async (key: string): Promise<void> => {
    await console.page.getByRole('button', { name: 'Sign out' }).click();
    await console.signIn(key);
  };

  it('The console refuses a withdrawal of more than the end-user has, with the server’s reason', async () => {
    await withdraw('1000000');
    await dialogOf(/^Withdraw/)
      .getByRole('alert')
      .getByText('insufficient_balance')
      .waitFor();
    expect(
      await dialogOf(/^Withdraw/)
        .getByRole('button', { name: 'Withdraw the amount' })
        .count(),
    ).toBe(0);
    // The browser itself reports an answer of 409.
    expect(console.problems.splice(0)).toEqual([expect.stringContaining('409')]);
  }, 60_000);

  it('The console previews a withdrawal with its parts, requests it, and lists it on the page of its end-user', async () => {
    const { page } = console;
    await withdraw('420');
    const dialog = dialogOf(/^Withdraw/);
    await dialog.getByText(WALLETS[1]!, { exact: true }).last().waitFor();
    const parts = dialog.getByRole('region', { name: 'Parts, table' });
    await parts.getByRole('rowheader').nth(1).waitFor();
    expect(await parts.getByRole('rowheader').count()).toBe(2);
    await console.examine('a withdrawal that is previewed');
    await dialog.getByRole('button', { name: 'Withdraw the amount' }).click();
    await page.getByText(/^requested\. Nobody took it up/).waitFor();
    await console.settled();
    const withdrawals = page.getByRole('region', { name: 'Withdrawals, table' });
    await withdrawals.getByRole('row', { name: /requested.*lapses.*420\.00 USDC.*2 positions/ }).waitFor();
    await console.examine('a user with a withdrawal');
  }, 60_000);

  it('The console shows a partner its withdrawals by state, without the actions of an executor', async () => {
    const { page } = console;
    await console.follow('Withdrawals');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('requested');
    await page.getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Withdrawal', exact: true }).waitFor();
    await page.getByText('nobody took it up', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^(Take up|Report)/ }).count()).toBe(0);
    await console.examine('a withdrawal of a partner');
  }, 60_000);

  it('The console shows an executor the calls of a withdrawal, takes it up, and reports its payment', async () => {
    const { page } = console;
    await signInAs(executorKey);
    await console.follow('Withdrawals');
    await console.examine('withdrawals of an executor');
    await page.getByRole('rowheader').getByRole('link').first().click();
    await page.getByLabel('Account that holds the funds').fill(`0x${'5f'.repeat(20)}`);
    await page.getByRole('button', { name: 'Show the calls' }).click();
    const calls = page.getByRole('region', { name: 'Calls of contracts, table' });
    await calls.getByRole('rowheader', { name: 'Transfer' }).waitFor();
    expect(await calls.getByRole('rowheader').allTextContents()).toEqual(['Withdraw', 'Transfer']);
    await page.getByRole('button', { name: 'Take up' }).click();
    await page.getByText(/^taken\. /).waitFor();
    await page.getByText(/taken up .* by (key|ses)_/).waitFor();
    await console.examine('a withdrawal that is taken');
    await page.getByRole('button', { name: 'Report the payment' }).click();
    const dialog = dialogOf('Report that the withdrawal is paid');
    const hash = newTxHash();
    await dialog.getByLabel(/^Hash of the transfer/).fill(hash);
    await dialog.getByLabel(/^Amount that the wallet received/).fill('419.9');
    await dialog.getByLabel(/^Chain/).fill('ethereum');
    await console.examine('a payment that is reported');
    await dialog.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByText(/^paid\. /).waitFor();
    await console.settled();
    const steps = page.getByRole('region', { name: 'Steps, table' });
    await steps.getByRole('row', { name: /^Paid 20.*419\.90/ }).waitFor();
    const link = steps.getByRole('link', { name: hash.slice(0, 8) });
    expect(await link.getAttribute('href')).toBe(`https://etherscan.io/tx/${hash}`);
    expect(await page.getByRole('button', { name: /^(Take up|Report)/ }).count()).toBe(0);
    await console.examine('a withdrawal that is paid');
    await page.getByRole('link', { name: 'settlements of its first position' }).click();
    await page
      .getByRole('button', { name: /^Show set_/ })
      .first()
      .click();
    await dialogOf('Settlement').getByText(hash).waitFor();
    await page.keyboard.press('Escape');
  }, 60_000);

  it('The console reports a withdrawal as failed with its reason, and its partner finds it by its id', async () => {
    const { page } = console;
    await signInAs(partner.key);
    await withdraw('100');
    await dialogOf(/^Withdraw/)
      .getByRole('button', { name: 'Withdraw the amount' })
      .click();
    const made = page.getByRole('status').getByRole('link', { name: /^wdr_/ });
    const id = (await made.textContent())!;
    await signInAs(executorKey);
    await console.goTo(`/withdrawals/${id}`);
    await page.getByRole('button', { name: 'Report that it failed' }).click();
    const dialog = dialogOf('Report that the withdrawal is not paid');
    await dialog.getByLabel('Reason, kept with the withdrawal').fill('The vault is paused.');
    await dialog.getByRole('button', { name: 'Report the failure' }).click();
    await page.getByText(/^failed\. .* The vault is paused\.$/).waitFor();
    await signInAs(partner.key);
    await console.settled();
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Withdrawal', exact: true }).waitFor();
    await page
      .getByText(/It ended because the executor reported it\. Noted: The vault is paused\./)
      .waitFor();
    await console.settled();
  }, 60_000);
});
