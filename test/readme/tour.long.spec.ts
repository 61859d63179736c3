import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { childEnvironment, SERVES } from '../support/child-environment.js';
import { freePort } from '../support/replica.js';

const readme = readFileSync('README.md', 'utf8');

/** The tour of the README, run as it stands, beside a start that may send webhooks to this machine. */
describe('the tour in README.md', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vaultline-tour-'));
  let start: Run | undefined;
  let tour: Run;

  beforeAll(async () => {
    const [, setting = '', value = ''] = /^(WEBHOOK_\w+)=(\S+) npm start$/m.exec(readme) ?? [];
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    // The build exists already: every run of the tests begins with it.
    expect(scripts['start']).toMatch(/ && node dist\/bundle\/cli\/quickstart\.js$/);
    start = run(process.execPath, ['dist/bundle/cli/quickstart.js'], {
      DATA_DIR: dataDir,
      PARTNER_PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
      [setting]: value,
    });
    await until(start, (output) => output.includes('Vaultline is ready.'));
    const script =
      /<!-- tour:begin -->\s*```bash\n([\s\S]*?)```\s*<!-- tour:end -->/.exec(readme)?.[1] ?? 'exit 1';
    tour = run('bash', ['-euo', 'pipefail', '-c', script], {
      DATA_DIR: dataDir,
      RECEIVER_PORT: String(await freePort()),
    });
    await until(tour, () => tour.child.exitCode !== null);
  }, 300_000);

  afterAll(async () => {
    started.forEach(({ child }) => end(child));
    if (start?.child.exitCode === null) await once(start.child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  }, 30_000);

  it('The tour in README.md completes without an error', () => {
    expect(tour.output()).not.toMatch(/command not found|syntax error|internal_error/);
    expect(tour.child.exitCode).toBe(0);
  });

  it('The tour in README.md prints each step with the fields that matter', () => {
    const lines = tour.output().trim().split(/\r?\n/).filter(Boolean);
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual(
      Array.from({ length: 10 }, (_, at) => expect.stringMatching(new RegExp(`^${at + 1}\\. `))),
    );
    const rationale = expect.stringMatching(/^data\.0\.rationale: Deposited 1,?000 USDC into vlt_\w+: /);
    expect(lines.filter((line) => line.startsWith(' ')).map((line) => line.trim())).toEqual([
      'data.partner.name: Acme Wallet',
      expect.stringMatching(/^data\.api_key\.secret: vl_live_\w{38}$/),
      'HTTP/1.1 201 Created',
      'HTTP/1.1 201 Created',
      'Idempotency-Replayed: true',
      'error.code: validation_failed',
      'error.details.0.field: external_id',
      expect.stringMatching(/^error\.details\.0\.message: must not be blank/),
      expect.stringMatching(/^data\.url: http:/),
      ...['data.status: delivered', 'data.attempts: 1', 'data.response_status: 200'],
      'The signature is right.',
      expect.stringMatching(/^data\.vault_id: vlt_/),
      ...['data.value: 1000', 'data.status: active'],
      rationale,
      expect.stringMatching(/^data\.users: \d+$/),
      expect.stringMatching(/^data\.positions\.open: \d+$/),
      expect.stringMatching(/^data\.totals\.yield: \d+\.\d+$/),
      'error.code: wrong_environment',
      'data.hours: 24',
      'data.status: active',
      expect.stringMatching(/^data\.yield: 0\.\d+$/),
      rationale,
    ]);
  });

  it('The tour in README.md leaves a live demo partner with 90 days of figures in every report and analysis', async () => {
    const { partner } = JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8'));
    const api = new Api(partner.url, partner.account_key);
    const reports = ['summary', 'deposits', 'withdrawals', 'tvl', 'yield', 'points', 'revenue'];
    const analyses = ['signals', 'regime', 'uplift', 'decisions?kind=rebalance'];
    for (const path of [
      ...reports.map((report) => `/partner/${report}`),
      ...analyses.map((analysis) => `/analytics/${analysis}`),
      '/yield/history/USDC?interval=day',
    ]) {
      const { text } = await api.get(path);
      expect([path, text]).toEqual([path, expect.stringMatching(/":(0\.0*)?[1-9]/)]);
      expect(text).not.toContain('"unknown"');
    }
    const moves: { outcome: object | null }[] = (await api.get('/analytics/decisions?kind=rebalance')).body
      .data;
    expect(moves.some(({ outcome }) => outcome !== null)).toBe(true);
    const [{ opened_at: openedAt }] = (await api.get('/positions?limit=500')).body.data.slice(-1);
    expect(Math.round((Date.now() - Date.parse(openedAt)) / 86_400_000)).toBe(90);
  });
});

interface Run {
  child: ChildProcess;
  /** Standard output and standard error so far. */
  output: () => string;
}

const started: Run[] = [];

/** Starts a program as the leader of a process group, so that its children can be ended with it. */
function run(file: string, args: string[], env: Record<string, string>): Run {
  const child = spawn(file, args, {
    env: { ...childEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...SERVES,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  const running = { child, output: () => text };
  started.push(running);
  return running;
}

async function until({ child, output }: Run, condition: (output: string) => boolean): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!condition(output())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(output());
    await sleep(25);
  }
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // The process group has ended.
  }
}
