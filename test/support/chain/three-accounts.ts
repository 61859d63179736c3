import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import { IDLE } from '../moves.js';
import type { ExecutedFunds } from './executed-funds.js';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Units by vault and wallet: what went into the vault, and what the wallet paid in, each less what came back. `cash` is in the account itself. */
type Balances = Record<string, bigint>;
interface Sent {
  job_id: string;
  step: string;
  vault_id: string | null;
  wallet: Hex | null;
  status: string;
  hash: Hex | null;
  amount: string | null;
}

/** What the chain, the server's books and the executor's journal say of one account, each by itself. */
export class ThreeAccounts {
  /** @param wallets ids of the users, by their wallet */
  constructor(
    private readonly funds: ExecutedFunds,
    private readonly wallets: ReadonlyMap<Hex, string>,
  ) {}

  /** By the events and the balance of the token. */
  async chain(): Promise<Balances> {
    const { anvil, token, account, vaults } = this.funds;
    const names = new Map(Object.entries(vaults).map(([id, address]) => [address, id]));
    const balances = this.none();
    const logs = await anvil.rpc('eth_getLogs', {
      ...{ fromBlock: '0x0', address: token.address, topics: [TRANSFER] },
    });
    for (const { topics, data } of logs as { topics: Hex[]; data: Hex }[]) {
      const [from, to] = topics.slice(1).map((topic): Hex => `0x${topic.slice(26)}`) as [Hex, Hex];
      const other = from === account ? to : to === account ? from : null;
      if (other === null) continue;
      const name = names.get(other) ?? other;
      // A wallet has paid in what comes to the account, and a vault has taken in what leaves it.
      balances[name]! += (from === account) === names.has(other) ? BigInt(data) : -BigInt(data);
    }
    return { ...balances, cash: await this.funds.balanceOf(account) };
  }

  /** By the ledger: all that moved, and not what was earned, which these vaults do not pay out. */
  async books(): Promise<Balances> {
    const balances = this.none();
    const wallets = new Map([...this.wallets].map(([wallet, userId]) => [userId, wallet]));
    const entries = await this.funds.stage.sql<Record<'type' | 'user' | 'to' | 'from' | 'amount', string>>(
      `SELECT type, user_id AS "user", vault_id AS "to", from_vault_id AS "from", amount::text FROM ledger_entries WHERE type <> 'yield_accrual'`,
    );
    for (const { type, user, ...entry } of entries) {
      const amount = type === 'withdrawal' ? -BigInt(entry.amount) : BigInt(entry.amount);
      const [to, from] = [entry.to, entry.from].map((id) => (id === IDLE ? 'cash' : id));
      balances[to!]! += amount;
      if (type === 'rebalance') balances[from!]! -= amount;
      else balances[wallets.get(user)!]! += amount;
    }
    return balances;
  }

  /** By what it saw and sent that is final. */
  journal(): Balances {
    const balances = this.none();
    for (const { wallet, units } of this.read<{ wallet: Hex; units: string }>(
      `SELECT wallet, units FROM deposits WHERE status = 'reported'`,
    )) {
      balances[wallet.toLowerCase()]! += BigInt(units);
      balances['cash']! += BigInt(units);
    }
    for (const { step, status, vault_id: vault, wallet, amount } of this.sent()) {
      if (status !== 'final' || step === 'approve') continue;
      const left = step === 'redeem' ? -BigInt(amount!) : BigInt(amount!);
      balances['cash']! -= left;
      if (wallet) balances[wallet.toLowerCase()]! -= left;
      else balances[vault!]! += left;
    }
    return balances;
  }

  /** The account's transactions on the chain, and those that the journal says are there. */
  async hashes(): Promise<{ chain: Hex[]; journal: Hex[] }> {
    const chain: Hex[] = [];
    const height = await this.funds.anvil.height();
    for (let number = 0; number <= height; number++) {
      const block = await this.funds.anvil.rpc('eth_getBlockByNumber', `0x${number.toString(16)}`, true);
      const { transactions } = block as { transactions: { from: Hex; hash: Hex }[] };
      chain.push(...transactions.filter(({ from }) => from === this.funds.account).map(({ hash }) => hash));
    }
    const ended = this.sent().filter(({ status }) => status === 'final' || status === 'reverted');
    return { chain: chain.toSorted(), journal: ended.map(({ hash }) => hash!).toSorted() };
  }

  /** Steps of a job, other than approvals, that are final twice. */
  repeated(): string[] {
    const steps = this.sent()
      .filter(({ step, status }) => step !== 'approve' && status === 'final')
      .map(({ job_id, step, vault_id }) => `${job_id} ${step} ${vault_id}`);
    return steps.filter((step, index) => steps.indexOf(step) < index);
  }

  /** What the journal and the server have not brought to an end. The journal first: what it ends meanwhile the server has. */
  async open(): Promise<string[]> {
    const inJournal = this.read<{ id: string }>(
      `SELECT id FROM jobs WHERE status <> 'done' UNION ALL SELECT tx_hash FROM deposits WHERE status = 'seen'`,
    );
    const lists = ['requested', 'redeeming', 'arriving'].map((status) => `/moves?status=${status}`);
    const paths = [...lists, '/withdrawals?status=requested', '/withdrawals?status=taken'];
    const records: { id: string }[] = (
      await Promise.all(paths.map((path) => this.funds.stage.get(path)))
    ).flat();
    return [...records, ...inJournal].map(({ id }) => id);
  }

  /** The block up to which it looked for deposits. */
  scanned(): number {
    return Number(
      this.read<{ value: string }>(`SELECT value FROM facts WHERE name = 'scanned ethereum'`)[0]?.value,
    );
  }

  sent(): Sent[] {
    return this.read<Sent>('SELECT * FROM transactions');
  }

  read<Row>(sql: string): Row[] {
    const database = new DatabaseSync(join(this.funds.folder, 'journal.db'), { timeout: 10_000 });
    try {
      return database.prepare(sql).all() as Row[];
    } finally {
      database.close();
    }
  }

  private none(): Balances {
    const names = ['cash', ...Object.keys(this.funds.vaults), ...this.wallets.keys()];
    return Object.fromEntries(names.map((name) => [name, 0n]));
  }
}
