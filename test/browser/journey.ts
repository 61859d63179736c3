import { describe, expect } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { ConsolePage } from './console-page.js';

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
