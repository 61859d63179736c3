import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { SettlementChecks } from '../../src/domain/routing/settlements/settlement-checks.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import type { Api } from '../support/api.js';
import { change } from '../support/change.js';
import { MovedFunds } from '../support/chain/moved-funds.js';
import { dataOf } from '../support/fields.js';
import { A, B, C, type MovesStage } from '../support/moves.js';
import type { TestPartner } from '../support/partner.js';
import { ReservesStage } from '../support/reserves.js';
import { chromiumPath, launchChromium } from './chromium.js';
import { ConsolePage } from './console-page.js';
import { inBrowser } from './journey.js';

const path = chromiumPath();
const HELD = 100_000_000_000n;

inBrowser('the console of reserves', path, () => {
  let stage: ReservesStage;
  let partner: TestPartner;
  let rows: Record<string, any>;
  let browser: Browser;
  let console: ConsolePage;

  beforeAll(async () => {
    stage = await ReservesStage.start();
    // Its queue is not read.
    change(stage.moves.vault(C), { exitDelayHours: 24 });
    const { app } = stage.moves.market;
    let user: string;
    ({ partner, user } = await stage.moves.party());
    await stage.token.send('mint', stage.custody, HELD);
    await stage.shares.send('deposit', HELD, stage.custody);
    await stage.moves.deposit(user, 100_000);
    await stage.read();
    const { move } = await stage.moves.ordered();
    await stage.moves.done(`/moves/${move.id}/taken`);
    rows = await stage.read();
    browser = await launchChromium(path!);
    console = await ConsolePage.open(browser, app.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });
  afterEach(() => expect(console.problems).toEqual([]));

  const rowOf = (table: string, name: RegExp) =>
    console.page.getByRole('region', { name: `${table}, table` }).getByRole('row', { name });
  const amount = (value: number): string =>
    Math.abs(value).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

  it('The console shows an administrator the books beside the chain, with coverage, block, its age, and what is in flight', async () => {
    await console.signIn(stage.moves.market.app.adminKey);
    await console.goTo('/administration/reserves');
    const row = rowOf('Reserves', /aave/i);
    await row.waitFor();
    const text = (await row.textContent())!;
    const { books, chain_holds, difference, in_flight, coverage, block } = rows[A];
    expect([books > 200_000, in_flight > 99_000, difference < 0]).toEqual([true, true, true]);
    for (const shown of [books, chain_holds, difference, in_flight]) expect(text).toContain(amount(shown));
    expect(text).toContain(`${(coverage * 100).toFixed(3)}`);
    expect(text).toContain(String(block));
    expect(text).toMatch(/old/);
    await console.examine('reserves of an administrator');
  }, 90_000);

  it('The console says why a reserve is not known, and shows no figure for it', async () => {
    expect(rows[C]).toMatchObject({ reason: 'queue', chain_holds: null });
    const row = rowOf('Reserves', /spark/i);
    await row.getByText('the vault pays out by a queue, which is not read').waitFor();
    expect(await row.textContent()).not.toMatch(/0\.000 ?%/);
  }, 60_000);

  it('The console lists the readings of a vault by hour', async () => {
    const { page } = console;
    await rowOf('Reserves', /aave/i)
      .getByRole('button', { name: /^By hour/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Reserves by hour/ });
    const readings = dialog.getByRole('region', { name: 'Reserves by hour, table' });
    await readings.getByRole('rowheader').nth(1).waitFor();
    expect(await readings.getByRole('rowheader').count()).toBe(2);
    expect(await readings.textContent()).toContain(amount(rows[A].books));
    await console.examine('reserves by hour');
    await page.keyboard.press('Escape');
  }, 60_000);

  it('The console shows a partner its own part and the coverage of its vaults only', async () => {
    const { page } = console;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await console.signIn(partner.key);
    const row = rowOf('Reserves', /aave/i);
    await row.waitFor();
    const own = (await stage.rows(partner.api))[A];
    expect(own.books).toBeLessThan(101_000);
    const text = (await row.textContent())!;
    expect(text).toContain(amount(own.books));
    for (const hidden of [rows[A].books, rows[A].chain_holds]) expect(text).not.toContain(amount(hidden));
    expect(await rowOf('Reserves', /spark|compound/i).count()).toBe(0);
    await console.examine('reserves of a partner');
  }, 90_000);
});

/** An administrator resolves reports that the chain contradicts. */
inBrowser('the console of reports that a chain contradicts', path, () => {
  let funds: MovedFunds;
  let stage: MovesStage;
  let browser: Browser;
  let console: ConsolePage;

  beforeAll(async () => {
    funds = await MovedFunds.start();
    ({ stage } = funds);
    const { app } = stage.market;
    await app.application.get(HousekeepingTimer).stop();
    await app.sql(`SELECT live_jobs.remove_job(key) FROM live_jobs.jobs WHERE key LIKE 'settlements %'`);
    browser = await launchChromium(path!);
    console = await ConsolePage.open(browser, app.url);
    await console.signIn(app.adminKey);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await funds?.close();
  });
  afterEach(() => expect(console.problems).toEqual([]));

  /** An executor keeps 0.3 % of what a vault paid out, and the chain tells. */
  const contradicted = async (): Promise<{ id: string; amount: number; short: number }> => {
    const { api }: { api: Api } = await stage.executor();
    const { move } = await stage.ordered();
    const { amount } = await stage.move(move.id);
    const short = Math.round(amount * 0.997 * 1e6) / 1e6;
    const tx_hash = await funds.run(...(await funds.callsOf(move.id, 'redeemed')));
    stage.market.pass(1);
    dataOf(await stage.post(`/moves/${move.id}/redeemed`, { tx_hash, amount: short }, {}, api), 201);
    await funds.finalize();
    await stage.market.app.application.get(SettlementChecks).pass();
    return { id: move.id, amount, short };
  };
  const resolve = async (id: string, resolution: RegExp, note: string): Promise<void> => {
    const { page } = console;
    await console.goTo(`/orders/${id}`);
    await page.getByRole('button', { name: 'Resolve the redemption' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resolve the report of the redemption' });
    await dialog.getByRole('radio', { name: resolution }).check();
    await dialog.getByLabel('Reason, kept with the move').fill(note);
    await console.examine(`a report that is resolved: ${note}`);
    await dialog.getByRole('button', { name: 'Resolve', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await console.settled();
  };
  const step = () =>
    console.page.getByRole('region', { name: 'Steps, table' }).getByRole('row', { name: /mismatch/ });

  it('The console shows what the chain found of a report, and accepts it for an administrator', async () => {
    const { page } = console;
    const { id } = await contradicted();
    await console.goTo(`/orders/${id}`);
    await step().getByText(/found/).waitFor();
    await page.getByText('Until each is resolved, the key that made it reports nothing more.').waitFor();
    await console.examine('a report that the chain contradicts');
    await resolve(id, /^Accept/, 'The executor will pay it back.');
    await step()
      .getByText(/accept, .*: The executor will pay it back\./)
      .waitFor();
    expect(await page.getByRole('button', { name: /^Resolve the/ }).count()).toBe(0);
    const { status, redeemed } = await stage.move(id);
    expect([status, redeemed.check.resolution]).toEqual(['arriving', 'accept']);
  }, 120_000);

  it('The console voids a report for an administrator, after which the move has failed', async () => {
    const { page } = console;
    const { id } = await contradicted();
    await resolve(id, /^Void/, 'Nobody knows of it.');
    await page.getByText(/the chain contradicted a report on it, which was taken back/).waitFor();
    await step()
      .getByText(/void, .*: Nobody knows of it\./)
      .waitFor();
    expect(await stage.move(id)).toMatchObject({
      status: 'failed',
      failure: 'voided',
      from_vault_id: A,
      to_vault_id: B,
    });
    await console.examine('a move whose report was voided');
  }, 120_000);

  it('The console shows an executor the contradiction, and lets it resolve nothing', async () => {
    const { page } = console;
    const { id } = await contradicted();
    const key = dataOf(
      await stage.market.app.admin.post('/keys', { label: 'Executor', scopes: ['read', 'write'] }),
      201,
    ).secret;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await console.signIn(key);
    await console.goTo(`/orders/${id}`);
    await step().getByText(/found/).waitFor();
    expect(await page.getByRole('button', { name: /^Resolve the/ }).count()).toBe(0);
  }, 120_000);
});
