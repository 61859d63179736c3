// Takes the pictures of docs/console/: eight screens of the sandbox's demo account and an executor's order, in light and in dark. Starts `npm start` on other ports and on data of its
// own, so that they are the same wherever they are taken. Needs Chromium: CHROMIUM_PATH, or `chromium` on the path.
//
// Debian's fonts-inter makes them look as they do at most desks.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'docs', 'console');
const PORTS = { PARTNER_PORT: '4370', SANDBOX_PORT: '4371' };
const MAX_BYTES = 400_000;

/** By file: what is shown, and what is done before it is taken. */
const PICTURES = {
  overview: { path: '/' },
  decision: {
    path: '/decisions?kind=rebalance',
    before: (page) => page.locator('tbody th a').last().click(),
    shows: '.candidate',
  },
  decisions: { path: '/decisions' },
  money: { path: '/money' },
  yields: { path: '/yields' },
  user: {
    path: '/users?q=cleo',
    before: (page) => page.getByRole('link', { name: 'demo:cleo' }).click(),
    shows: '.tiles',
  },
  webhooks: { path: '/webhooks', before: newEndpoint, shows: '.snippets' },
  sandbox: { path: '/sandbox' },
};
/** Pictures of the partner contract, for an executor. */
const ORDERS = {
  order: {
    path: '/orders',
    before: (page) => page.locator('tr.marked th a').first().click(),
    shows: '.verdict',
  },
};

async function newEndpoint(page) {
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/vaultline');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
}

const executablePath =
  process.env.CHROMIUM_PATH ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find(existsSync);
if (!executablePath) {
  process.stderr.write('There is no Chromium here: install it, or name one by CHROMIUM_PATH.\n');
  process.exit(1);
}

const data = mkdtempSync(join(tmpdir(), 'vaultline-pictures-'));
const server = spawn(process.execPath, [join(root, 'dist/bundle/cli/quickstart.js')], {
  cwd: root,
  env: { ...process.env, ...PORTS, DATA_DIR: data, CONTRACT: '', SETTLEMENT: 'reported' },
  stdio: ['ignore', 'pipe', 'inherit'],
  timeout: 1_800_000,
  killSignal: 'SIGKILL',
});
try {
  await ready();
  const { sandbox, partner } = JSON.parse(readFileSync(join(data, 'quickstart.json'), 'utf8'));
  await call(sandbox, '/simulation/market', { scenario: 'volatile' });
  await call(sandbox, '/simulation/clock/advance', { hours: 600 });
  mkdirSync(target, { recursive: true });
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  for (const colorScheme of ['light', 'dark']) {
    await takeAll(browser, colorScheme, PICTURES, sandbox.url, sandbox.account_key);
    await takeAll(browser, colorScheme, ORDERS, partner.url, partner.executor_key);
  }
  await browser.close();
} finally {
  server.kill('SIGTERM');
  if (server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}

async function takeAll(browser, colorScheme, pictures, url, key) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme });
  const page = await context.newPage();
  await page.goto(`${url}/console`);
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('API key').press('Enter');
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  for (const [name, { path, before, shows }] of Object.entries(pictures)) {
    await page.goto(`${url}/console${path}`);
    await settled(page);
    await before?.(page);
    if (shows) await page.locator(shows).first().waitFor();
    await settled(page);
    const file = join(target, `${name}-${colorScheme}.png`);
    const picture = await page.screenshot();
    writeFileSync(file, picture);
    const bytes = picture.length;
    process.stdout.write(`${file}: ${bytes} bytes\n`);
    if (bytes > MAX_BYTES) throw new Error(`${file} is larger than ${MAX_BYTES} bytes.`);
  }
  await context.close();
}

async function settled(page) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading, [aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}

async function call({ url, account_key }, path, body) {
  const headers = { Authorization: `Bearer ${account_key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`);
}

/** Until both contracts run. */
async function ready() {
  server.stdout.setEncoding('utf8');
  let text = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('Vaultline is ready.')) break;
  }
  if (!text.includes('Vaultline is ready.')) throw new Error(`The server did not start: ${text}`);
  server.stdout.resume();
}
