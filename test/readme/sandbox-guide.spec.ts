import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PublishedDocument } from '../support/published-document.js';
import { childEnvironment, ENDS } from '../support/child-environment.js';
import { MAX_ADVANCE_HOURS } from '../../src/domain/cycle/accounts/account.service.js';
import { SCENARIOS } from '../../src/domain/markets/simulation/simulated-market.js';
import { startApp, type TestApp } from '../support/app.js';
import { freePort } from '../support/replica.js';

const guide = readFileSync('docs/sandbox.md', 'utf8');

/** The guide for testers, run as it stands, so that every call in it works. */
describe('docs/sandbox.md', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vaultline-guide-'));
  const script =
    /<!-- guide:begin -->\s*```bash\n([\s\S]*?)```\s*<!-- guide:end -->/.exec(guide)?.[1] ?? 'exit 1';
  let app: TestApp;
  let output = '';
  let code: number | null;

  beforeAll(async () => {
    app = await startApp('sandbox');
    const quickstart = { sandbox: { url: app.url, admin_key: app.adminKey } };
    writeFileSync(join(dataDir, 'quickstart.json'), JSON.stringify(quickstart));
    const bash = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      env: {
        ...childEnvironment(),
        DATA_DIR: dataDir,
        RECEIVER_PORT: String(await freePort()),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...ENDS,
    });
    for (const stream of [bash.stdout, bash.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    // Up to five months are computed: some ten seconds, and several times that on a busy machine.
    const late = setTimeout(() => process.kill(-bash.pid!, 'SIGTERM'), 180_000);
    [code] = (await once(bash, 'close')) as [number | null];
    clearTimeout(late);
  }, 240_000);
  afterAll(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('docs/sandbox.md leads from a key to a delivered position.rebalanced in ten calls', () => {
    expect(output).not.toMatch(/command not found|syntax error|"error"/);
    expect(code).toBe(0);
    expect(script.match(/\$\(call |^call /gm)).toHaveLength(10);
    // The receiver writes as soon as it gets a request, even in the middle of an answer's line.
    const answers = output
      .replaceAll('received position.rebalanced\n', '')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { object: 'webhook' },
      { object: 'position', data: { asset: 'USDC', status: 'active' } },
      { object: 'position', data: { asset: 'USDT', status: 'active' } },
      { object: 'simulation_clock', data: { scenario: 'volatile' } },
      { object: 'simulation_advance', data: { hours: MAX_ADVANCE_HOURS } },
      { object: 'list', data: [{ event: 'position.rebalanced', status: 'delivered' }] },
      { object: 'list', data: [{ object: 'decision' }] },
      { object: 'uplift', data: { positions: 2 } },
    ]);
    expect(answers[4].data.rebalances).toBeGreaterThan(0);
    expect(output).toContain('received position.rebalanced');
  });

  it('docs/sandbox.md lists every scenario, and every failure of a delivery', () => {
    for (const scenario of SCENARIOS) expect(guide).toMatch(new RegExp(`^\\| \`${scenario}\``, 'm'));
    const document = new PublishedDocument('sandbox').content;
    const failures: (string | null)[] = document.components.schemas.Delivery.properties.failure.enum;
    for (const failure of failures.filter((failure) => failure !== null))
      expect(guide).toMatch(new RegExp(`^\\| \`${failure}\``, 'm'));
  });

  it('docs/sandbox.md states the actual limits', () => {
    const limit = (what: string): number =>
      Number(new RegExp(`^\\| ${what} *\\|[^\\d|]*([\\d,]+)`, 'm').exec(guide)?.[1]?.replaceAll(',', ''));
    const { webhooks, idempotency } = app.settings.constants;
    expect(limit('hours of one advance')).toBe(MAX_ADVANCE_HOURS);
    expect(limit('endpoints')).toBe(webhooks.endpointsPerPartner);
    expect(limit('deliveries kept')).toBe(webhooks.deliveriesKept);
    expect(limit('answers kept for an Idempotency-Key')).toBe(idempotency.keptHours);
  });
});
