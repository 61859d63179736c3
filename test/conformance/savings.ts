import type { Caller } from './caller.js';
import { dataOf, made, rowsOf, SkippedRule } from './check.js';
import type { Exchange } from './exchange.js';
import type { Funds } from './funds.js';
import { isIdle } from './rules/series.js';
import type { OwnPartner, Stage } from './stage.js';

const OPEN = { allowed_vaults: null, max_risk_tier: null, min_gain: null, paused: false };
/** No limit, so that the policy alone says where funds go. */
const ANY_SHARE = { low: 1, medium: 1, high: 1 };

/** Where a deposit goes: the lending vault, another one, or cash. */
type Place = 'home' | 'away' | 'cash';
export type Deposit = readonly [place: Place, amount: number];
/** In another order than the one in which it leaves, whichever vault has the lower rate. */
export const SPREAD: readonly Deposit[] = [
  ['home', 30],
  ['away', 50],
  ['home', 40],
  ['cash', 20],
  ['home', 60],
];

/** A partner whose end-users have money in cash and in vaults. */
export class Savings {
  private place: Place | null = null;

  private constructor(
    private readonly stage: Stage,
    readonly partner: OwnPartner,
    readonly funds: Funds,
    private readonly vaults: Record<'home' | 'away', string>,
  ) {}

  static async open(stage: Stage): Promise<Savings> {
    const partner = await stage.newPartner('savings');
    const funds = await stage.funds(partner);
    const all = rowsOf(await partner.caller.get('/vaults?limit=500'));
    const ofAsset = all.filter(({ asset }) => asset === stage.assets[0]);
    const home = ofAsset.find((vault) => vault.lending_baseline).id;
    const away = ofAsset.findLast((vault) => !vault.lending_baseline && vault.risk_tier !== 'high') ?? {};
    const bounds = { ...OPEN, max_vault_exposure: ANY_SHARE, max_tier_exposure: ANY_SHARE };
    made(await stage.admin.send('PUT', `/partners/${partner.id}/policy`, bounds));
    return new Savings(stage, partner, funds, { home, away: away.id ?? home });
  }

  /** A new end-user with positions in the first asset, in the order of its deposits. */
  async saver(deposits: readonly Deposit[] = SPREAD, input: object = {}): Promise<Saver> {
    const { caller } = this.partner;
    const external_id = this.stage.name('saver');
    const { id } = made(await caller.post('/users', { external_id, ...input }));
    const [asset] = this.stage.assets;
    for (const [place, amount] of deposits) {
      await this.direct(place);
      made(await this.funds.deposit({ user_id: id, asset, amount }));
    }
    return new Saver(caller, this.funds, id, asset);
  }

  private async direct(place: Place): Promise<void> {
    if (this.place === place) return;
    const policy =
      place === 'cash' ? { ...OPEN, paused: true } : { ...OPEN, allowed_vaults: [this.vaults[place]] };
    made(await this.partner.caller.send('PUT', '/partner/policy', policy));
    this.place = place;
  }
}

/** An end-user and its partner, who withdraws for it in one asset. */
export class Saver {
  constructor(
    readonly caller: Caller,
    readonly funds: Funds,
    readonly id: string,
    readonly asset: string,
  ) {}

  get path(): string {
    return `/users/${this.id}/withdrawals`;
  }

  /** @throws SkippedRule where all its money is cash: a rule about vaults has none */
  async requireVault(): Promise<void> {
    if ((await this.positions()).every(({ vault_id }) => isIdle(vault_id)))
      throw new SkippedRule('no vault takes funds now: deposits wait in cash');
  }

  /** `input.amount` absent: everything. */
  request = (input: object = {}, headers?: Record<string, string>): Promise<Exchange> =>
    this.caller.post(this.path, { asset: this.asset, ...input }, headers);
  preview = (input: object = {}): Promise<Exchange> =>
    this.caller.post(`${this.path}/preview`, { asset: this.asset, ...input });
  /** Withdraws; where an executor is to pay, the answer is that to its report. */
  withdraw = (amount?: number): Promise<Exchange> =>
    this.funds.withdrawFrom(this.id, { asset: this.asset, ...(amount !== undefined && { amount }) });

  user = (): Promise<Exchange> => this.caller.get(`/users/${this.id}`);
  /** In the asset. undefined: none is left. */
  async balance(): Promise<any> {
    return dataOf(await this.user(), 200).balances.find(({ asset }: any) => asset === this.asset);
  }

  /** Oldest first. */
  async positions(): Promise<any[]> {
    return rowsOf(await this.caller.get(`/positions?user_id=${this.id}&limit=500`)).reverse();
  }

  async withdrawals(): Promise<any[]> {
    return dataOf(await this.caller.get(`${this.path}?limit=500`), 200);
  }

  /** Entries of withdrawals, oldest first. */
  async entries(): Promise<any[]> {
    return dataOf(
      await this.caller.get(`/users/${this.id}/ledger?type=withdrawal&limit=500`),
      200,
    ).toReversed();
  }
}
