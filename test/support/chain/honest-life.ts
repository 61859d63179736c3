import { getAddress } from 'viem/utils';
import type { Random } from '../../faults/load/random.js';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import { dataOf } from '../fields.js';
import { IDLE } from '../moves.js';
import { createPartner, type TestPartner } from '../partner.js';
import type { CustodyWorld } from './custody-world.js';
import { HonestExecutor } from './honest-executor.js';

interface Holder {
  partner: TestPartner;
  user: string;
  wallet: Hex;
}

const PARTNERS = 3;
const WHOLE = 1_000_000;
const micro = (units: number): bigint => BigInt(Math.round(units * WHOLE));
const units = (amount: bigint): number => Number(amount) / WHOLE;

/** Users, a depositor and an executor who do what they say, in random steps: the same seed takes the same ones. */
export class HonestLife {
  /** Number of steps by what they did. */
  readonly done: Record<string, number> = {};
  private readonly holders: Holder[] = [];
  private executor: HonestExecutor;
  private rates: [number, number, number] = [0.05, 0.04, 0.03];
  private hoursToChange = 0;
  private isRead = false;
  /** Whether the last reading fell between a transfer and its report. */
  private fellBetween = false;

  private constructor(
    private readonly world: CustodyWorld,
    private readonly random: Random,
    /** Looks at the world after each reading. */
    private readonly watch: (rows: Record<string, any>) => Promise<void>,
  ) {}

  static async begin(
    world: CustodyWorld,
    random: Random,
    watch: (rows: Record<string, any>) => Promise<void>,
  ): Promise<HonestLife> {
    const life = new HonestLife(world, random, watch);
    const { stage, anvil } = world;
    life.executor = new HonestExecutor(world, random, life.done, (await stage.executor()).api);
    const partners: TestPartner[] = [];
    for (let n = 0; n < PARTNERS; n++) partners.push(await createPartner(stage.market.app.admin));
    for (const [n, wallet] of anvil.accounts.slice(1).entries()) {
      const partner = partners[n % PARTNERS]!;
      const body = { external_id: `life:${n}`, wallets: [getAddress(wallet)] };
      const { id: user } = dataOf(await partner.api.post('/users', body), 201);
      await world.token.send('mint', wallet, 10n ** 15n);
      life.holders.push({ partner, user, wallet });
    }
    world.wait(60_000);
    return life;
  }

  /** What the chain should have beyond the books, micro-units. */
  get beyond(): number {
    return this.executor.beyond;
  }

  /** Takes a random step. */
  async step(): Promise<void> {
    await this.executor.reportWhere(({ due }) => due <= this.world.now().getTime());
    const steps: [number, string, () => Promise<void>][] = [
      [15, 'hour', () => this.hour()],
      [9, 'deposit', () => this.deposit()],
      [8, 'withdrawal', () => this.request()],
      [35, 'move', () => this.executor.move()],
      [14, 'payment', () => this.executor.pay()],
      [6, 'lookup', () => this.lookUp()],
      [10, 'wait', async () => this.executor.pass(this.random.between(1, 600) * 1_000)],
    ];
    let draw = this.random.between(
      1,
      steps.reduce((sum, [weight]) => sum + weight, 0),
    );
    const [, name, take] = steps.find(([weight]) => (draw -= weight) <= 0)!;
    this.done[name] = (this.done[name] ?? 0) + 1;
    await take();
  }

  /** Reports everything, and ends with a reading. */
  async end(): Promise<void> {
    await this.executor.reportWhere(() => true);
    for (let hour = 0; hour < 2 || this.executor.isOwing; hour++) await this.hour();
    await this.lookUp();
    await this.read();
  }

  /** A new hour; the yields change each half day or so, and seldom a vault loses. */
  private async hour(): Promise<void> {
    if (!this.isRead) await this.read();
    await this.executor.reportWhere(() => this.random.chance(0.7));
    if (this.hoursToChange-- <= 0) {
      this.hoursToChange = this.random.between(4, 20);
      this.rates = [0, 1, 2].map(() => this.random.between(15, 150) / 1_000) as typeof this.rates;
    }
    const rates: [number, number, number] = [...this.rates];
    // 0.026 % in an hour.
    if (this.random.chance(0.03)) rates[this.random.between(0, 2)] = -0.9;
    await this.world.turnHour(rates);
    this.isRead = false;
    if (this.random.chance(0.5)) await this.read();
  }

  private async read(): Promise<void> {
    if (this.random.chance(0.7)) await this.world.finalize();
    if (this.random.chance(0.7)) await this.world.lookUp();
    const rows = await this.world.read();
    this.isRead = true;
    this.fellBetween = false;
    this.done['reading'] = (this.done['reading'] ?? 0) + 1;
    await this.watch(rows);
    await this.sweep(rows);
  }

  /** The operator takes out what late reports left in a vault, and puts in what they took, where that is no longer a small part of it. */
  private async sweep(rows: Record<string, any>): Promise<void> {
    for (const { vault_id, difference, books, in_flight } of Object.values(rows)) {
      if (vault_id === null || in_flight > 0) continue;
      if (difference < -0.2) await this.executor.putIn(vault_id, micro(0.3 - difference));
      if (difference < 0.8 || difference < books / 20_000) continue;
      const surplus = micro(difference - 0.4);
      await this.world.run(
        this.world.calls.leave(vault_id, surplus),
        this.world.calls.transfer(this.world.anvil.accounts[0]!, surplus),
      );
      this.executor.beyond -= Number(surplus);
      this.done['sweep'] = (this.done['sweep'] ?? 0) + 1;
    }
  }

  private async lookUp(): Promise<void> {
    if (this.random.chance(0.5)) await this.world.finalize();
    await this.world.lookUp();
  }

  /** A transfer to the custody account, reported as received, or as in the vault, where it is put at once. */
  private async deposit(): Promise<void> {
    const { world, random } = this;
    const { user, wallet } = random.pick(this.holders);
    const amount = BigInt(random.between(50 * WHOLE, 60_000 * WHOLE));
    const hash = await world.transfer(wallet, world.account.address, amount);
    // A reading may fall between a transfer and its report; two in a row would be an alert.
    if (!this.isRead && !this.fellBetween && random.chance(0.2)) {
      await world.finalize();
      await this.read();
      this.fellBetween = true;
    }
    this.executor.pass(random.between(1, 30) * 1_000);
    const allocated = random.chance(0.5);
    const more = { tx_hash: hash, chain: 'ethereum', allocated };
    const { vault_id } = await world.stage.deposit(user, units(amount), more);
    const from = world.now().getTime();
    if (allocated && vault_id !== IDLE) {
      await world.run(...world.calls.enter(vault_id, amount));
      this.executor.beyond -= world.rates.yieldOf(vault_id, amount, from, world.blockTime);
    }
    // Other blocks than those of its transactions are read, as on a chain that has one each twelve seconds.
    await world.finalize();
  }

  private async request(): Promise<void> {
    const { partner, user } = this.random.pick(this.holders);
    const { balances } = dataOf(await partner.api.get(`/users/${user}`), 200);
    const available = balances.find(({ asset }: any) => asset === 'USDC')?.available ?? 0;
    if (available < 1) return;
    const part = micro(available * this.random.next());
    const isAll = this.random.chance(0.2) || part === 0n;
    const body = { asset: 'USDC', ...(!isAll && { amount: units(part) }) };
    const made = await this.executor.send(`/users/${user}/withdrawals`, body, partner.api);
    if (made && isAll) this.executor.whole.add(made.id);
  }
}
