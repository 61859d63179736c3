import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { chromiumPath, launchChromium } from './chromium.js';
import { inBrowser } from './journey.js';
import { until } from '../support/until.js';

const path = chromiumPath();

inBrowser('the documentation page', path, () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    app = await startApp('partner', {}, undefined, shortMarkets);
    browser = await launchChromium(path!);
    // The builder of axe opens a page of its own in the context.
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(15_000);
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(`${app.url}/docs/`);
    await operation('createWebhook').waitFor();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const operation = (id: string) => page.locator(`[id$="-${id}"]`);
  const choose = (name: string) => page.getByRole('combobox').first().selectOption({ label: name });

  it('The API docs page opens with the operations of a partner’s key, and shows the others on request', async () => {
    expect(await operation('createKey').count()).toBe(0);
    await choose('Administration');
    await operation('createKey').waitFor();
    expect(await operation('createWebhook').count()).toBe(0);
    await choose('Everything');
    await operation('createWebhook').waitFor();
    expect(await operation('createKey').count()).toBe(1);
    await choose("A partner's key");
    await operation('createWebhook').waitFor();
    expect(problems).toEqual([]);
  });

  it('The API docs page marks an operation, a parameter and a field that are extensions with a badge', async () => {
    const badges = (id: string) => operation(id).locator('.opblock-summary .extension-badge').count();
    expect([await badges('checkWebhook'), await badges('createWebhook')]).toEqual([1, 0]);

    await operation('listWebhookDeliveries').locator('.opblock-summary-control').click();
    const row = (name: string) => operation('listWebhookDeliveries').locator(`tr[data-param-name="${name}"]`);
    await row('status').waitFor();
    expect(await row('status').locator('.extension-badge').count()).toBe(1);
    expect(await row('webhook_id').locator('.extension-badge').count()).toBe(0);

    await operation('createWebhook').locator('.opblock-summary-control').click();
    const body = operation('createWebhook').locator('.opblock-section-request-body');
    await body.getByRole('tab', { name: 'Schema' }).click();
    const field = (name: string) =>
      body.locator('.json-schema-2020-12-property').filter({ hasText: new RegExp(`^${name}`) });
    await field('description').waitFor();
    expect(await field('description').locator('.extension-badge').count()).toBe(1);
    expect(await field('url').locator('.extension-badge').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  const groups = async (): Promise<string[]> =>
    page.locator('.opblock-tag').evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag')!));
  /** Whether each operation of a group is an extension, from top to bottom. */
  const extensionsOf = async (group: string): Promise<boolean[]> =>
    page
      .locator('.opblock-tag-section')
      .filter({ has: page.locator(`.opblock-tag[data-tag="${group}"]`) })
      .locator('.opblock-summary')
      .evaluateAll((rows) => rows.map((row) => row.querySelector('.extension-badge') !== null));

  it.each(["A partner's key", 'A general key', 'Administration', 'Everything'])(
    'The API docs page shows of %s no empty group, and first what is no extension, by groups and within each',
    async (audience) => {
      await choose(audience);
      await page
        .getByText(/^What .+ may call\. Start here/)
        .or(page.getByText(/^The live contract/))
        .first()
        .waitFor();
      await operation(audience === 'A general key' ? 'readRegime' : 'createSession').waitFor();
      const shown = await groups();
      const marks = await Promise.all(shown.map(extensionsOf));
      expect(shown.length).toBeGreaterThan(3);
      for (const marksOf of marks) {
        expect(marksOf.length).toBeGreaterThan(0);
        expect(marksOf).toEqual(marksOf.toSorted((a, b) => Number(a) - Number(b)));
      }
      const begins = marks.map(([first]) => first!);
      expect(begins).toEqual(begins.toSorted((a, b) => Number(a) - Number(b)));
    },
  );

  it('The API docs page folds the answers to errors, so that an opened operation is at most 2,300 pixels high, and unfolds each by the keyboard', async () => {
    await choose("A partner's key");
    for (const id of ['createUser', 'readPartnerSummary', 'testWebhook']) {
      await operation(id).locator('.opblock-summary-control').click();
      await operation(id).locator('.error-codes').last().waitFor();
      expect((await operation(id).boundingBox())!.height).toBeLessThan(2300);
    }
    const refusals = operation('createUser').locator('.error-answer');
    const taken = refusals.filter({ hasText: 'external_id_taken' }).getByRole('button');
    const example = operation('createUser').getByText('"code": "external_id_taken"');
    expect(await taken.getAttribute('aria-expanded')).toBe('false');
    expect(await example.count()).toBe(0);
    await taken.press('Enter');
    expect(await taken.getAttribute('aria-expanded')).toBe('true');
    await operation('createUser').getByText('A user with this external_id exists').first().waitFor();
    await taken.press('Enter');
    expect(await taken.getAttribute('aria-expanded')).toBe('false');
    expect(problems).toEqual([]);
  });

  it('The API docs page links operations from its introduction, whose lines unfold, and has no violation that axe finds', async () => {
    const introduction = page.locator('.info');
    expect((await introduction.boundingBox())!.height).toBeLessThan(600);
    const rule = introduction.getByText('A request costs one point');
    expect(await rule.isVisible()).toBe(false);
    await introduction.getByText('Rate limits:').click();
    expect(await rule.isVisible()).toBe(true);
    const href = await introduction.getByRole('link', { name: 'List events' }).getAttribute('href');
    // The button that copies a path shrinks for half a second once the pointer has left its row.
    await page.mouse.move(0, 0);
    await until(() =>
      page.evaluate<boolean>(
        "[...document.querySelectorAll('.opblock-summary .copy-to-clipboard')].every(({ offsetWidth }) => offsetWidth === 0)",
      ),
    );
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      // Swagger UI's choices have no names, and browsers focus a region that scrolls by themselves.
      .disableRules(['select-name', 'scrollable-region-focusable'])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await page.goto(new URL(href!, `${app.url}/docs`).href);
    await operation('listEvents').locator('.responses-wrapper').waitFor();
    expect(problems).toEqual([]);
  });
});
