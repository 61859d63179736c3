import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of the machine's own Chromium: `CHROMIUM_PATH`, or the first on the PATH; null: there is none. */
export function chromiumPath(env = process.env): string | null {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined && !existsSync(named))
    throw new Error(`CHROMIUM_PATH is ${named}, and there is no such file.`);
  const folders = (env['PATH'] ?? '').split(delimiter);
  return (
    named ?? folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync) ?? null
  );
}

/** Software rendering of a GPU costs more than everything the pages do. */
const ARGUMENTS = ['--disable-gpu', '--disable-software-rasterizer'];

/** Chromium's sandbox refuses to run as root, and containers run tests as root; the tested pages are the project's own. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? [...ARGUMENTS, '--no-sandbox'] : ARGUMENTS,
  });
