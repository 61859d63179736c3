import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicClient, http, parseAbi } from 'viem';
import { Api } from '../support/api.js';
import { childEnvironment, SERVES } from '../support/child-environment.js';

const PROGRAM = ['--import', './test/runner/typescript.mjs', 'test/demo/chain.main.ts'];
const STEPS = [
  'chain',
  'deployment',
  'executor',
  'deposited',
  'received',
  'allocated',
  'reserves',
  'lost',
  'moved',
  'paid',
  'equal',
  'statement',
];
const MICRO = 1_000_000;
const LONGEST_S = 180;

/** The command with `--json`, and the objects that it printed. */
class Demo {
  readonly lines: any[] = [];
  readonly child: ChildProcess;
  private readonly news = new EventEmitter();
  private readonly heard: Promise<void>;

  constructor(...options: string[]) {
    const args = [...PROGRAM, '--json', ...options];
    this.child = spawn(process.execPath, args, {
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
      ...SERVES,
    });
    this.heard = this.listen();
  }

  /** The first object that has a field, of that value if one is given. */
  async until(name: string, value?: string): Promise<any> {
    for (;;) {
      const line = this.lines.find((line) => name in line && (value === undefined || line[name] === value));
      if (line) return line;
      const more = this.lines.length;
      await Promise.race([once(this.news, 'line'), this.heard]);
      if (this.lines.length === more) throw new Error(`It ended: ${JSON.stringify(this.lines.at(-1))}`);
    }
  }

  step(name: string): any {
    return this.lines.find(({ step }) => step === name);
  }

  /** Its processes, by their programs. */
  children(): { pid: number; program: string }[] {
    const table = execFileSync('ps', ['-axo', 'ppid=,pid=,comm='], { encoding: 'utf8' });
    return table.split('\n').flatMap((line) => {
      const [parent, pid, program] = line.trim().split(/\s+/);
      return Number(parent) === this.child.pid && program !== 'ps'
        ? [{ pid: Number(pid), program: program! }]
        : [];
    });
  }

  /** @returns the exit code */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.child.kill(signal);
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  private async listen(): Promise<void> {
    for await (const line of createInterface(this.child.stdout!)) {
      this.lines.push(JSON.parse(line));
      this.news.emit('line');
    }
  }
}

const isAlive = ({ pid }: { pid: number }): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('The demonstration on a chain', () => {
  const ABI = parseAbi([
    'function balanceOf(address) view returns (uint256)',
    'function convertToAssets(uint256) view returns (uint256)',
  ]);
  let demo: Demo;
  beforeAll(async () => {
    demo = new Demo('--keep');
    await demo.until('kept');
  });
  afterAll(() => demo?.end('SIGTERM'));

  const chain = () => createPublicClient({ transport: http(demo.step('chain').rpc_url) });
  const balanceOf = (address: `0x${string}`, account: `0x${string}`): Promise<bigint> =>
    chain().readContract({ address, abi: ABI, functionName: 'balanceOf', args: [account] });

  it('The demonstration takes each step in order, within three minutes', () => {
    expect(demo.lines.flatMap(({ step }) => step ?? [])).toEqual(STEPS);
    expect(demo.lines.find(({ result }) => result)).toMatchObject({ result: 'done' });
    expect(demo.step('statement').seconds).toBeLessThan(LONGEST_S);
  });

  it('The hash of each step is a transaction that succeeded, or a block', async () => {
    const { hash, redeemed } = demo.step('moved');
    expect(redeemed).not.toBe(hash);
    for (const hash of [redeemed, ...demo.lines.flatMap(({ hash }) => hash ?? [])]) {
      expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
      const receipt = await chain()
        .getTransactionReceipt({ hash })
        .catch(() => null);
      if (receipt) expect(receipt.status).toBe('success');
      else expect(await chain().getBlock({ blockHash: hash })).toMatchObject({ hash });
    }
  });

  it('What is on the chain equals the books and the statement', async () => {
    const { custody, wallet, token, vaults } = demo.step('chain');
    const { url, partner_key } = demo.step('deployment');
    const { paid_amount } = demo.step('paid');
    const { closing_value } = demo.step('statement');
    const held = await Promise.all(
      Object.values<`0x${string}`>(vaults).map(async (address) => {
        const args = [await balanceOf(address, custody)] as const;
        return chain().readContract({ address, abi: ABI, functionName: 'convertToAssets', args });
      }),
    );
    const { body } = await new Api(url, partner_key).get('/partner/summary');
    const units = Number(held.reduce((sum, part) => sum + part, await balanceOf(token, custody))) / MICRO;
    // The chain has the yield of an hour before the books.
    expect(Math.abs(units - body.data.totals.net_tvl)).toBeLessThan(1);
    expect(Math.abs(units - closing_value)).toBeLessThan(1);
    expect(Number(await balanceOf(token, wallet))).toBe((100_000 - 25_000 + paid_amount) * MICRO);
  });

  it('Ctrl-C ends the processes of a demonstration that was kept, and its exit code is 0', async () => {
    const children = demo.children();
    expect(children.length).toBeGreaterThanOrEqual(4);
    expect(await demo.end('SIGINT')).toBe(0);
    expect(children.filter(isAlive)).toEqual([]);
  });
});

it('A demonstration whose chain fails names the step that did not come true, ends its processes, and its exit code is 1', async () => {
  const demo = new Demo();
  try {
    await demo.until('step', 'executor');
    const children = demo.children();
    process.kill(children.find(({ program }) => program.endsWith('anvil'))!.pid, 'SIGKILL');
    expect(await demo.end()).toBe(1);
    expect(demo.lines.at(-1)).toMatchObject({ result: 'failed', reason: expect.stringMatching(/^\w+: /) });
    expect(children.filter(isAlive)).toEqual([]);
  } finally {
    await demo.end('SIGTERM');
  }
});
