import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { chromiumPath, launchChromium } from './chromium.js';
import { inBrowser } from './journey.js';

const path = chromiumPath();

inBrowser('the documentation page', path, () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    app = await startApp('partner', {}, undefined, shortMarkets);
    browser = await launchChromium(path!);
    page = await browser.newPage();
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
});
