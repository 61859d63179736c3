import { describe, expect } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { ConsolePage } from './console-page.js';

type Step = (page: Page) => Promise<unknown>;
interface Task {
  /** One for each click, key or choice. */
  steps: Step[];
  /** What answers the question, in the end. */
  shows: RegExp;
}

const main = (page: Page) => page.locator('main');
const screen =
  (name: string): Step =>
  (page) =>
    page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click();
const link =
  (name: string | RegExp): Step =>
  (page) =>
    main(page).getByRole('link', { name }).first().click();
const first: Step = (page) => main(page).getByRole('rowheader').getByRole('link').first().click();
const press =
  (name: string | RegExp): Step =>
  (page) =>
    main(page).getByRole('button', { name, exact: true }).first().click();
const choose =
  (label: string, value: string): Step =>
  (page) =>
    main(page).getByRole('combobox', { name: label, exact: true }).selectOption(value);
const type =
  (label: string, value: string): Step =>
  (page) =>
    main(page).getByLabel(label, { exact: true }).fill(value);
const search: Step = (page) => page.keyboard.press('/');
const target =
  (text: string): Step =>
  async (page) => {
    await page.getByRole('searchbox').fill(text);
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /^End-user/ })
      .click();
  };

/**
 * Questions of docs/console.md, and how its readers answer them. The demo data is recent, so "December" is the last ten days and "yesterday" its whole
 * history.
 */
const TASKS: Record<string, Task> = {
  'see why funds moved yesterday': {
    steps: [screen('Decisions'), choose('Kind', 'rebalance'), choose('Span', 'all'), first],
    shows: /^What else there was$/,
  },
  'see what routing brought user X in December': {
    steps: [
      search,
      target('ada'),
      choose('Span', 'own'),
      type('From', new Date(Date.now() - 864_000_000).toISOString().slice(0, 10)),
      type('To', new Date().toISOString().slice(0, 10)),
    ],
    shows: /^What routing brought$/,
  },
  'export a month': {
    steps: [screen('Statements'), first, press('CSV of By end-user')],
    shows: /^Statement 20/,
  },
  'find a failed webhook': {
    steps: [screen('Webhooks'), link('Delivery log'), choose('Status', 'failed'), press(/^Show/)],
    shows: /^Payload Copy payload$/,
  },
  'see what an endpoint missed, and fetch it': {
    steps: [screen('Webhooks'), first, press('Copy the loop')],
    shows: /^Missed events$/,
  },
  'rotate a secret': {
    steps: [screen('Webhooks'), first, press('Rotate the secret'), press('Make a new secret')],
    shows: /^The signing secret/,
  },
  'check a receiver before it is registered': {
    steps: [
      screen('Webhooks'),
      press('Check a receiver'),
      async (page) => {
        await page.getByLabel('URL to check').fill('http://127.0.0.1:9/hook');
        await press('Check')(page);
      },
    ],
    shows: /^Check a receiver$/,
  },
  'see the concentration and its limit': {
    steps: [screen('Money map'), choose('By', 'tier')],
    shows: /^Where it is, by risk tier$/,
  },
  'see where a deposit would go now': {
    steps: [screen('Money map'), press('Ask')],
    shows: /^What else there was$/,
  },
  'block an end-user': {
    steps: [search, target('dora'), press('Block'), press('Block the user')],
    shows: /^demo:dora$/,
  },
  'withdraw an end-user’s money': {
    steps: [
      search,
      target('ada'),
      press('Withdraw'),
      (page) => page.getByLabel(/^Everything/).check(),
      press('Preview'),
      press('Withdraw the amount'),
    ],
    shows: /^Withdrawals$/,
  },
  'see who changed a partner’s share': {
    steps: [
      screen('Audit'),
      async (page) => {
        await type('Operation', 'updatePartner')(page);
        await page.getByLabel('Operation', { exact: true }).press('Enter');
      },
    ],
    shows: /^Audit$/,
  },
  'follow an order from the decision to the arrival': {
    steps: [screen('Decisions'), first, link(/^mov_/)],
    shows: /^Steps$/,
  },
};

/** Does each task that has a name like the given one. @returns the clicks of each */
export async function walkTasks(console: ConsolePage, isAsked: (task: string) => boolean) {
  const clicks: Record<string, number> = {};
  for (const [task, { steps, shows }] of Object.entries(TASKS).filter(([name]) => isAsked(name))) {
    await console.goTo('');
    for (const step of steps) {
      await step(console.page);
      await console.settled();
    }
    await console.page.getByRole('heading', { name: shows }).first().waitFor();
    clicks[task] = steps.length;
  }
  return clicks;
}

/** Tasks of docs/console.md with the clicks that it says they take. */
export const documentedTasks = (): Record<string, number> =>
  Object.fromEntries(
    readFileSync('docs/console.md', 'utf8')
      .split('\n')
      .map((line) => /^\| (.+?) +\| .+ \| +(\d+) \|$/.exec(line))
      .flatMap((row) => (row ? [[row[1]!.replace("'", '’'), Number(row[2])]] : [])),
  );

/** A suite that needs a browser. Without one it is skipped, with a message. */
export function inBrowser(name: string, path: string | null, suite: () => void): void {
  if (path !== null) return void describe(name, suite);
  process.stderr.write(
    `Skipped: ${name}. There is no Chromium here: install Debian's chromium, or name one by CHROMIUM_PATH.\n`,
  );
  describe.skip(name, suite);
}

/** Only the session key is stored; signing out ends the session in the browser and on the server. */
export async function checkStorage(console: ConsolePage, { admin }: TestApp): Promise<void> {
  await console.goTo('/');
  expect(await console.kept()).toEqual({ session: ['vaultline.session'], local: [], cookies: '' });
  const session = admin.as(await console.sessionKey());
  expect((await session.get('/sessions/current')).status).toBe(200);
  const ended = console.page.waitForResponse((response) => response.request().method() === 'DELETE');
  await console.page.getByRole('button', { name: 'Sign out' }).click();
  await ended;
  await console.page.getByLabel('API key').waitFor();
  expect(await console.kept()).toEqual({ session: [], local: [], cookies: '' });
  expect((await session.get('/sessions/current')).status).toBe(401);
  expect(console.problems).toEqual([]);
}
