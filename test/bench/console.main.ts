import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { Application } from '../../src/application.js';
import { withDomain } from '../../src/cli/context.js';
import type { Settings } from '../../src/config/settings.js';
import { KeyService } from '../../src/domain/tenants/access/key.service.js';
import type { Scope } from '../../src/domain/tenants/access/scope.js';
import { Clock, addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { LedgerPartitions } from '../../src/domain/markets/hours/ledger-partitions.service.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market.service.js';
import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import { chromiumPath, launchChromium } from '../browser/chromium.js';
import { benchSettings, say, timed, withDatabase } from './deployment.js';
import { seed } from './seed.js';

/** Time that each screen of the console takes to show its data, for one partner that has all positions. The goal is one second. */
const POSITIONS = 10_000;
/**
 * The engine runs over the last days of the book: the statements, moves, decisions and closings of these days are real, and bring the ledger to
 * 117,500 entries.
 */
const DAYS_RUN = 2;
const SEEDED_ENTRIES = 90_000;
/** Deposits that an executor reports: each is an order, and an entry of the audit log. */
const ORDERS = 60;
const ROUNDS = 3;
const BOUND_MS = 1_000;
const SETTINGS = { HOST: '127.0.0.1', PORT: '0', RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' };

/**
 * The function runs in the browser, whose content security policy forbids evaluating a text later. It notes since when the screen has its heading and
 * loads nothing more.
 */
const WATCH = `(function look() {
  const shown = document.querySelector('h1') && !document.querySelector('.loading, [aria-busy="true"]');
  globalThis.shownAt = shown ? (globalThis.shownAt ?? performance.now()) : null;
  requestAnimationFrame(look);
})()`;
const ASKED = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/v1/')).length`;

interface Screen {
  name: string;
  path: string;
}
/** A key, and the screens that are opened with it. */
interface Viewer {
  key: string;
  /** End-user for whom deposits are reported with it. */
  user?: string;
  /** Scopes that are ticked when signing in. */
  scopes: Scope[];
  screens: Screen[];
}

const executable = chromiumPath();
if (executable === null)
  throw new Error('There is no Chromium here: install it, or name one by CHROMIUM_PATH.');

await withDatabase(async (url) => {
  const settings = benchSettings(url, SETTINGS);
  const viewers = await withDomain(settings, (context) => grow(context, settings));
  const application = await Application.create(
    benchSettings(url, { ...SETTINGS, SETTLEMENT: 'reported' }),
    silentLogger(),
  );
  const browser = await launchChromium(executable);
  try {
    await (
      await application.listen()
    ).ready;
    const executor = viewers.at(-1)!;
    for (let order = 0; order < ORDERS; order++)
      await report(application.url, executor.key, executor.user!, order + 1);
    say('\n| screen | shows its data after | slowest | requests |\n| --- | ---: | ---: | ---: |');
    let slowest = 0;
    for (const viewer of viewers)
      slowest = Math.max(slowest, await measure(browser, application.url, viewer));
    if (slowest > BOUND_MS) {
      say(`\nA screen takes more than ${BOUND_MS} ms.`);
      process.exitCode = 1;
    }
  } finally {
    await browser.close();
    await application.stop();
  }
});

/** Fills the book of one partner, as if its history had happened, and makes the keys that look at it. */
async function grow(context: INestApplicationContext, settings: Settings): Promise<Viewer[]> {
  const clock = context.get(Clock);
  const today = new Date(Math.floor(clock.now().getTime() / 86_400_000) * 86_400_000);
  const seededTo = addHours(today, -24 * DAYS_RUN);
  await timed(`${POSITIONS} positions with ${SEEDED_ENTRIES} entries`, () =>
    seed(
      settings,
      { positions: POSITIONS, entries: SEEDED_ENTRIES, partners: 1, days: 120, now: seededTo },
      (_, work) => work(),
    ),
  );
  for (const moment of [seededTo, clock.now()]) await context.get(LedgerPartitions).prepare(moment);
  await timed(`${DAYS_RUN} days of the engine`, () =>
    clock.as(today, () => context.get(HourlyCycle).advance(BASE_MARKET, hourOf(today))),
  );
  const found: unknown[] = [];
  await context.get(LedgerVerifier).verify((difference) => found.push(difference));
  if (found.length > 0) throw new Error(`The books are not true: ${JSON.stringify(found.slice(0, 3))}`);

  const client = new Client({
    connectionString: settings.database.url!,
    options: `-c search_path=${settings.database.schema}`,
  });
  await client.connect();
  const idOf = async (sql: string): Promise<string> => (await client.query<{ id: string }>(sql)).rows[0]!.id;
  try {
    const counts = await client.query<{ sum: string }>(
      `SELECT (SELECT count(*) FROM positions) || ' positions, ' || (SELECT count(*) FROM ledger_entries) || ' ledger entries, ' ||
              (SELECT count(*) FROM users) || ' users, ' || (SELECT count(*) FROM decisions) || ' decisions' AS sum`,
    );
    say(counts.rows[0]!.sum);
    const partnerId = await idOf('SELECT id FROM partners');
    const key = async (scopes: Scope[], bound = false): Promise<string> => {
      const input = { label: scopes[0]!, scopes, ...(bound && { partnerId }) };
      return (await context.get(KeyService).create(input)).secret;
    };
    const [decision, position] = [
      await idOf('SELECT id FROM decisions ORDER BY id DESC LIMIT 1'),
      await idOf('SELECT id FROM positions ORDER BY id LIMIT 1'),
    ];
    const user = await idOf(`SELECT user_id AS id FROM positions WHERE id = '${position}'`);
    const administration = (...names: string[]): Screen[] =>
      names.map((name) => ({ name: `Administration: ${name}`, path: `/administration/${name}` }));
    return [
      {
        key: await key(['partner:read', 'read'], true),
        scopes: [],
        screens: [
          { name: 'Overview', path: '' },
          { name: 'Decisions', path: '/decisions' },
          { name: 'A decision', path: `/decisions/${decision}` },
          { name: 'Money map', path: '/money' },
          { name: 'Yields', path: '/yields' },
          { name: 'A vault', path: '/vaults/vlt_aave_v3_usdc' },
          { name: 'Users', path: '/users' },
          { name: 'Users, one looked for', path: '/users?q=bench:42' },
          { name: 'A user', path: `/users/${user}` },
          { name: 'Positions', path: '/positions' },
          { name: 'A position', path: `/positions/${position}` },
          { name: 'Statements', path: '/statements' },
          { name: 'Audit', path: '/audit' },
          { name: 'Webhooks', path: '/webhooks' },
          { name: 'Delivery log', path: '/webhooks/deliveries' },
        ],
      },
      {
        key: await key(['partner:admin', 'keys:admin']),
        scopes: ['partner:admin', 'keys:admin'],
        screens: administration('partners', 'campaigns', 'keys', 'health'),
      },
      {
        key: await key(['write', 'read']),
        user,
        scopes: ['write'],
        screens: [{ name: 'Orders', path: '/orders' }, ...administration('settlements', 'vaults')],
      },
    ];
  } finally {
    await client.end();
  }
}

async function report(url: string, key: string, user: string, order: number): Promise<void> {
  const tx_hash = `0x${String(order).padStart(64, '0')}`;
  const answer = await fetch(`${url}/api/v1/positions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ user_id: user, asset: 'USDC', amount: 100, tx_hash, allocated: false }),
  });
  if (!answer.ok) throw new Error(`The deposit is refused: ${await answer.text()}`);
}

/** Opens each screen by its address, once to warm up and then in rounds. @returns the slowest median, in milliseconds */
async function measure(browser: Browser, url: string, { key, scopes, screens }: Viewer): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.addInitScript(WATCH);
  await signIn(page, url, key, scopes);
  let slowest = 0;
  for (const { name, path } of screens) {
    const times: number[] = [];
    let requests = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      await page.goto(`${url}/console${path}`);
      await page.locator('.loading, [aria-busy="true"]').first().waitFor({ state: 'detached' });
      // Requests that begin after the first ones were answered count, too.
      await page.waitForLoadState('networkidle');
      const shown = await page.evaluate<number | null>('globalThis.shownAt');
      if (shown === null) throw new Error(`${name} never shows its data.`);
      if (round > 0) times.push(shown);
      requests = await page.evaluate<number>(ASKED);
    }
    times.sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)]!;
    slowest = Math.max(slowest, median);
    say(`| ${name} | ${median.toFixed(0)} ms | ${times.at(-1)!.toFixed(0)} ms | ${requests} |`);
  }
  await context.close();
  return slowest;
}

/** @param scopes the scopes that are ticked */
async function signIn(page: Page, url: string, key: string, scopes: readonly Scope[]): Promise<void> {
  await page.goto(`${url}/console`);
  await page.getByLabel('API key').fill(key);
  for (const scope of scopes) await page.locator(`input[name="${scope}"]`).check();
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}
