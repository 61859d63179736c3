import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';
import { Random } from '../faults/load/random.js';
import { FaultProxy, type Moment } from './fault-proxy.js';
import type { ExecutedFunds } from './chain/executed-funds.js';
import { A } from './moves.js';
import type { TestPartner } from './partner.js';

/** Steps at which an exchange breaks off: calls of the node and reports to the server, in the order of an order's life. */
const NODE: readonly [string, RegExp, Moment][] = [
  ['before it signs', /eth_maxPriorityFeePerGas/, 'after'],
  ['signed, and not sent', /eth_sendRawTransaction/, 'before'],
  ['sent, and not answered', /eth_sendRawTransaction/, 'after'],
  ['at a receipt', /eth_getTransactionReceipt/, 'after'],
  ['at the deposits', /eth_getLogs/, 'after'],
];
const REPORTS = ['positions', 'taken', 'redeemed', 'settled', 'paid'];
const MOMENTS: readonly Moment[] = ['before', 'during', 'after'];
const STEPS = [
  ...NODE.map(([name, matches, moment]) => ({ name, side: 'node' as const, matches, moment })),
  ...REPORTS.flatMap((report) =>
    MOMENTS.map((moment) => ({
      ...{ name: `${moment} the report ${report}`, side: 'server' as const, moment },
      matches: new RegExp(`^POST \\S+/${report} `),
    })),
  ),
];
const MOST_TICKS = 30;
const TICK_MS = 70;

/** Rounds of faults between an executor, its node and its server, by a seed. Times of processes differ, so that a seed repeats the plan and not each effect. */
export class FaultPlan {
  kills = 0;
  /** Steps at which an exchange broke off. */
  readonly met = new Map<string, number>();
  /** Reports of transactions that were not final, or failed. */
  readonly premature: string[] = [];
  private readonly counts = { reorganisations: 0, foreign: 0, deposits: 0, withdrawals: 0 };
  private steps: (typeof STEPS)[number][] = [];
  /** Of its own: exchanges are as many as the machine is fast. */
  private readonly noise: Random;

  private constructor(
    private readonly random: Random,
    private readonly funds: ExecutedFunds,
    private readonly node: FaultProxy,
    private readonly server: FaultProxy,
  ) {
    this.noise = random.fork();
  }

  static async open(seed: number, funds: ExecutedFunds): Promise<FaultPlan> {
    const { url } = funds.stage.market.app.admin;
    const plan = new FaultPlan(
      new Random(seed),
      funds,
      await FaultProxy.open(funds.anvil.url),
      await FaultProxy.open(url),
    );
    plan.server.watch = (text) => plan.check(text);
    return plan;
  }

  get urls(): { RPC_URL_ETHEREUM: string; VAULTLINE_URL: string } {
    return { RPC_URL_ETHEREUM: this.node.url, VAULTLINE_URL: this.server.url };
  }

  close(): void {
    this.node.close();
    this.server.close();
  }

  /** Work, an exchange that breaks off at the next step of the plan, often with the death of the process, and a chain that may reorganise. */
  async round(
    round: number,
    partner: TestPartner,
    users: ReadonlyMap<Hex, string>,
    foreign: Set<Hex>,
  ): Promise<void> {
    const { funds } = this;
    this.node.loses = () => this.noise.chance(0.02);
    this.server.loses = () => this.noise.chance(0.03);
    await this.tickUntil(() => funds.isRunning && funds.news.includes('the executor runs'), Infinity);
    await this.work(round, partner, users);

    const killed = this.kills;
    const step = this.nextStep();
    let isMet = false;
    const dies = this.random.chance(0.7);
    this[step.side].fault = {
      ...step,
      happens: () => {
        isMet = true;
        if (dies) this.kill();
      },
    };
    await this.tickUntil(() => isMet, MOST_TICKS);
    this[step.side].fault = null;
    if (isMet) this.met.set(step.name, (this.met.get(step.name) ?? 0) + 1);
    else this.steps.push(step);
    // At least one death a round, otherwise at any moment.
    await this.tickUntil(() => false, this.random.between(0, 4));
    if (killed === this.kills) this.kill();
    if (this.random.chance(0.5)) await this.reorganise();
    if (this.random.chance(0.3)) foreign.add(await this.useNonce());
    await funds.kill();
    funds.run();
    if (this.random.chance(0.3)) await this.reorganise();
  }

  /** Ends all faults. */
  async heal(): Promise<void> {
    this.node.loses = () => false;
    this.server.loses = () => false;
    if (!this.funds.isRunning) this.funds.run();
  }

  summary(): string {
    return JSON.stringify({ kills: this.kills, ...this.counts, steps: Object.fromEntries(this.met) });
  }

  private async work(round: number, partner: TestPartner, users: ReadonlyMap<Hex, string>): Promise<void> {
    const { funds } = this;
    // The better vault changes, so that the server orders moves.
    if (round % 4 === 0) funds.stage.see(0.05 + (round % 8 && 0.3), 0.1);
    const assets = await funds.balanceOf(funds.vaults[A]!);
    // More than the books expect it to earn.
    if (assets > 1_000_000n) await funds.token.send('mint', funds.vaults[A]!, assets / 5_000n);
    await funds.stage.hours();
    const all = [...users];
    const [wallet] = this.random.pick(all);
    await funds.pay(wallet, BigInt(this.random.between(1e9, 1e10)));
    this.counts.deposits += 1;
    const [, userId] = this.random.pick(all);
    const amount = this.random.chance(0.15) ? {} : { amount: this.random.between(1e7, 9e8) / 1e6 };
    const asked = await partner.api.post(`/users/${userId}/withdrawals`, { asset: 'USDC', ...amount });
    if (asked.status === 201) this.counts.withdrawals += 1;
    else if (asked.status !== 422 && asked.status !== 409) throw new Error(asked.text);
  }

  private nextStep(): (typeof STEPS)[number] {
    if (this.steps.length === 0) this.steps = [...STEPS];
    return this.steps.splice(this.random.between(0, this.steps.length - 1), 1)[0]!;
  }

  private kill(): void {
    this.kills += 1;
    void this.funds.kill();
  }

  /** No deeper than what is not final. */
  private async reorganise(): Promise<void> {
    this.counts.reorganisations += 1;
    await this.funds.anvil.reorganise(this.random.between(1, 2));
  }

  /** A transaction of somebody else who has the key. */
  private async useNonce(): Promise<Hex> {
    this.counts.foreign += 1;
    const { account, anvil } = this.funds;
    return (await anvil.rpc('eth_sendTransaction', { from: account, to: account, value: '0x0' })) as Hex;
  }

  private async tickUntil(holds: () => boolean, most: number): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (let tick = 0; tick < most && !holds(); tick++) {
      if (Date.now() > deadline) throw new Error(`It did not start:\n${this.funds.news.slice(-3000)}`);
      await this.funds.anvil.mine(1);
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }

  /** A report of a transaction that is not final, or that failed, must not be made. */
  private async check(text: string): Promise<void> {
    const [, report] = /^POST \S+\/(positions|redeemed|settled|paid) /.exec(text) ?? [];
    const [, hash] = /"tx_hash":"(0x[0-9a-f]{64})"/.exec(text) ?? [];
    if (report === undefined) return;
    const { anvil } = this.funds;
    const receipt = (await anvil.rpc('eth_getTransactionReceipt', hash)) as Record<string, Hex> | null;
    const finalized = (await anvil.rpc('eth_getBlockByNumber', 'finalized', false)) as { number: Hex };
    const isFinal = receipt !== null && Number(receipt['blockNumber']) <= Number(finalized.number);
    if (!isFinal || receipt['status'] !== '0x1') this.premature.push(text);
  }
}
