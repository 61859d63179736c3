import { DAY_MS, HOUR_MS } from '../../src/domain/kernel/clock.js';
import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';
import { WallClock } from '../faults/load/wall-clock.js';
import type { Answer, Api } from '../support/api.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';
import { DemoDeployment } from './demo-deployment.js';
import { DemoExecutor } from './demo-executor.js';
import { type ChainVault, SavingsChain } from './savings-chain.js';
import type { Steps } from './steps.js';

const MICRO = 1_000_000;
const DEPOSIT = 25_000;
const WITHDRAWAL = 10_000;
/** The clock begins so much before the last midnight: the day then has a statement. */
const HOURS_BEFORE_MIDNIGHT = 12;
/** Hours after a loss within which its vault is left: the index has it after two. */
const MOST_HOURS = 4;
/** Between chain and books, micro-units: a unit, as in the alerts on reserves. The books have the yield of an hour with the next one. */
const TOLERATED = BigInt(MICRO);

/**
 * An end-user's savings, from the wallet to the vault and back: a chain, the partner contract and the executor, each a process of its own. All follow
 * one clock, which begins half a day before the last midnight and jumps from hour to hour.
 */
export class Story {
  private readonly clock = new WallClock(beginning());
  private readonly closing: (() => Promise<void>)[] = [async () => this.clock.remove()];
  chain: SavingsChain;
  deployment: DemoDeployment;
  private executor: DemoExecutor;
  private admin: Api;
  private partner: TestPartner;
  private user: string;
  consoleLink: string;

  constructor(private readonly steps: Steps) {}

  /** Ends all processes, the newest first. */
  async close(): Promise<void> {
    this.steps.stop();
    for (const close of this.closing.splice(0).reverse()) await close();
  }

  /** What the executor and the deployment logged. */
  get logs(): string {
    return [this.executor?.logs, this.deployment?.replica.logs].filter(Boolean).join('\n').slice(-6_000);
  }

  /** Starts everything. @throws StepFailed */
  async begin(): Promise<void> {
    await this.steps.take('chain', 60, async () => {
      const chain = (this.chain = await this.started(SavingsChain.start(this.clock.now())));
      const { token, vaults, custody, wallet, anvil } = chain;
      return {
        hash: await chain.blockHash(),
        text: `30 days of hourly blocks; ${vaults.map(({ name }) => name).join(', ')} are ERC-4626 vaults`,
        facts: {
          rpc_url: anvil.url,
          token: token.address,
          vaults: Object.fromEntries(vaults.map(({ id, contract }) => [id, contract.address])),
          custody,
          wallet,
        },
      };
    });
    await this.steps.take('deployment', 90, async () => {
      const deployment = (this.deployment = await this.started(DemoDeployment.start(this.chain, this.clock)));
      this.admin = deployment.replica.api(deployment.adminKey);
      this.partner = await createPartner(this.admin, 'Demo wallet');
      this.consoleLink = await deployment.consoleLink(this.partner.keyId);
      await until(async () => (await this.bestSignal())?.risk_adjusted_apy > 0, 60_000);
      const { name, apy } = await this.bestSignal();
      return {
        hash: await this.chain.blockHash(),
        text: `The partner contract at ${deployment.replica.url} read the vaults' past; the best is ${name}, ${percent(apy)} a year`,
        facts: { url: deployment.replica.url, admin_key: deployment.adminKey, partner_key: this.partner.key },
      };
    });
  }

  /** Tells the story. @throws StepFailed */
  async tell(): Promise<void> {
    const { steps, chain } = this;
    await steps.take('executor', 40, () => this.startExecutor());
    const [amber] = chain.vaults as [ChainVault];
    let deposit: Hex;
    await steps.take('deposited', 20, async () => {
      const wallets = [chain.wallet];
      const input = { external_id: 'demo:saver', label: 'A saver', wallets };
      this.user = dataOf(await this.partner.api.post('/users', input)).id;
      deposit = await chain.pay(chain.custody, BigInt(DEPOSIT * MICRO));
      return { hash: deposit, text: `The wallet sends ${units(DEPOSIT)} USDC to the custody account` };
    });
    await steps.take('received', 60, async () => {
      await until(async () => (await this.position()) !== undefined, 60_000);
      const { id, principal, settlement } = await this.position();
      require(settlement?.tx_hash === deposit, `the position names the transfer ${settlement?.tx_hash}`);
      return {
        hash: settlement.tx_hash,
        text: `The executor reported it: ${id} of ${units(principal)} USDC`,
      };
    });
    await steps.take('allocated', 60, () => this.allocated(amber));
    await steps.take('reserves', 30, () => this.reserves());
    await steps.take('lost', 20, async () => {
      const hash = await chain.lose(amber);
      return { hash, text: `${amber.name} loses 1 % of its assets` };
    });
    await steps.take('moved', 90, () => this.moved(amber));
    await steps.take('paid', 60, () => this.paid());
    await steps.take('equal', 30, () => this.reserves());
    await steps.take('statement', 60, () => this.statement());
  }

  /** Has a part ended with the others, also where its start is cut off. */
  private started<Part extends { stop(): Promise<void> }>(starting: Promise<Part>): Promise<Part> {
    this.closing.push(async () => (await starting.catch(() => null))?.stop());
    return starting;
  }

  private async startExecutor() {
    const keyOf = async (label: string, ...scopes: string[]) => (await this.keyOf(label, ...scopes)).key!;
    const access = {
      url: this.deployment.replica.url,
      key: await keyOf('executor', 'read', 'write'),
      depositsKey: await keyOf('deposits', 'read', 'write'),
      partnerKey: this.partner.key,
    };
    this.executor = await this.started(DemoExecutor.start(this.chain, access, this.clock));
    return { hash: await this.chain.blockHash(), text: 'The executor runs, with a key of its own' };
  }

  private async allocated(vault: ChainVault) {
    await until(async () => (await this.position()).vault_id === vault.id, 60_000);
    const [move] = await this.moves();
    const { tx_hash: hash, amount } = move.settled;
    const held = await this.chain.worthOf(this.chain.custody, vault);
    requireNear(held, microOf(amount), `${vault.name} holds`);
    return { hash, text: `The executor put ${units(amount)} USDC into ${vault.name}` };
  }

  /** Reads the reserves of a new hour, once the chain has confirmed every report. */
  private async reserves() {
    await this.hour();
    let states: string[] = [];
    const areConfirmed = async (): Promise<boolean> => {
      await this.deployment.run('settlements');
      const reports = (await this.moves()).flatMap(({ redeemed, settled }) => [redeemed, settled]);
      const transfers = dataOf(await this.partner.api.get('/settlements'));
      states = [...reports.map((report) => report?.check), ...transfers].flatMap(
        (check) => check?.status ?? [],
      );
      return states.every((state) => state === 'confirmed');
    };
    await until(areConfirmed, 15_000).catch((error: Error) => {
      throw new Error(`${error.message} The chain says of the reports: ${states.join(', ')}.`, {
        cause: error,
      });
    });
    await this.deployment.run('reserves');
    const { rows } = dataOf(await this.admin.get('/reserves'));
    const held = rows.filter(({ books, chain_holds }: any) => books > 0 || chain_holds !== 0);
    require(held.length > 0, 'there are no reserves');
    for (const row of held)
      requireNear(microOf(row.chain_holds), microOf(row.books), `Of ${row.vault_id} the chain has`);
    const amounts = held.map(
      ({ chain_holds, vault_id }: any) => `${units(chain_holds)} USDC in ${vault_id ?? 'cash'}`,
    );
    return {
      hash: await this.chain.blockHash(held[0].block),
      text: `Chain and books agree within a unit: ${amounts.join(' and ')}; the chain confirmed every report`,
      facts: { block: held[0].block, reserves: held },
    };
  }

  /** The executor moves the funds of a vault that made a loss. */
  private async moved(vault: ChainVault) {
    for (let hour = 0; hour < MOST_HOURS && (await this.movesOut(vault)).length === 0; hour++)
      await this.hour();
    await until(async () => (await this.movesOut(vault))[0]?.ended_at != null, 60_000);
    const [{ status, to_vault_id, redeemed, settled, failure, note }] = await this.movesOut(vault);
    require(status === 'settled', `the move is ${status} (${failure ?? ''} ${note ?? ''})`);
    const target = this.chain.vaults.find(({ id }) => id === to_vault_id)!;
    requireNear(await this.chain.worthOf(this.chain.custody, vault), 0n, `${vault.name} holds`);
    const held = await this.chain.worthOf(this.chain.custody, target);
    requireNear(held, microOf(settled.amount), `${target.name} holds`);
    return {
      hash: settled.tx_hash,
      text: `The executor moved ${units(settled.amount)} USDC from ${vault.name} (${redeemed.tx_hash}) to ${target.name}`,
      facts: { redeemed: redeemed.tx_hash },
    };
  }

  /** The user withdraws, and the executor pays. */
  private async paid() {
    const { wallet } = this.chain;
    const before = await this.chain.balanceOf(wallet);
    const input = { asset: 'USDC', amount: WITHDRAWAL, wallet };
    const { id } = dataOf(await this.partner.api.post(`/users/${this.user}/withdrawals`, input));
    const read = async () => dataOf(await this.partner.api.get(`/withdrawals/${id}`));
    await until(async () => (await read()).ended_at !== null, 60_000);
    const { status, tx_hash: hash, paid_amount, failure, note } = await read();
    require(status === 'paid', `the withdrawal is ${status} (${failure ?? ''} ${note ?? ''})`);
    const received = (await this.chain.balanceOf(wallet)) - before;
    require(received ===
      microOf(paid_amount), `the wallet received ${received} micro-units, not ${paid_amount} USDC`);
    return {
      hash,
      text: `The user withdrew ${units(WITHDRAWAL)} USDC, and the wallet has ${units(paid_amount)} more`,
      facts: { withdrawal: id, paid_amount },
    };
  }

  /** The day's statement, after its midnight. */
  private async statement() {
    const day = this.clock.now().toISOString().slice(0, 10);
    while (this.clock.now().toISOString().startsWith(day)) await this.hour();
    const { api } = this.partner;
    const [line] = dataOf(await api.get(`/partner/statements/${day}/users`));
    const { deposits, withdrawals, costs, closing_value, ...figures } = line.assets[0];
    require(deposits === DEPOSIT && withdrawals === WITHDRAWAL, `it has ${deposits} and ${withdrawals}`);
    const entries = dataOf(await api.get(`/users/${this.user}/ledger?type=withdrawal`));
    const { tx_hash: hash } = entries[0];
    return {
      hash,
      text: `The statement of ${day}: deposits ${units(deposits)}, yield ${units(figures.yield)}, costs ${units(costs)}, withdrawals ${units(withdrawals)}, closing value ${units(closing_value)} USDC`,
      facts: { day, deposits, withdrawals, yield: figures.yield, costs, closing_value },
    };
  }

  /** Passes an hour: the vaults pay interest, and the deployment runs its cycle. */
  private async hour(): Promise<void> {
    this.clock.add(1);
    await this.chain.hour(this.clock.now());
    await this.deployment.run('tick');
  }

  private async keyOf(label: string, ...scopes: string[]): Promise<Api> {
    return this.admin.as(dataOf(await this.admin.post('/keys', { label, scopes })).secret);
  }

  private async bestSignal(): Promise<any> {
    return dataOf(await this.partner.api.get('/analytics/signals'))[0];
  }

  private async position(): Promise<any> {
    return dataOf(await this.partner.api.get(`/partner/user/${this.user}/positions`))[0];
  }

  private async moves(): Promise<any[]> {
    return dataOf(await this.partner.api.get('/moves'));
  }

  private async movesOut({ id }: ChainVault): Promise<any[]> {
    return (await this.moves()).filter(({ from_vault_id }) => from_vault_id === id);
  }
}

/** Hours from now to the beginning, a minute after a full hour. */
function beginning(): number {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return (midnight - Date.now() + 60_000) / HOUR_MS - HOURS_BEFORE_MIDNIGHT;
}

function dataOf({ status, text, body }: Answer): any {
  require(status < 300, `the server answered ${status}: ${text}`);
  return body.data;
}

function require(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`${otherwise}.`);
}

function requireNear(held: bigint, expected: bigint, what: string): void {
  const difference = held < expected ? expected - held : held - expected;
  require(difference <= TOLERATED, `${what} ${held} micro-units, not ${expected}`);
}

const microOf = (amount: number): bigint => BigInt(Math.round(amount * MICRO));

const units = (amount: number): string => amount.toLocaleString('en', { maximumFractionDigits: 6 });

const percent = (rate: number): string => `${(rate * 100).toFixed(2)} %`;
