import { getAddress } from 'viem/utils';
import type { Api } from '../api.js';
import { change } from '../change.js';
import { dataOf } from '../fields.js';
import { A } from '../moves.js';
import { createPartner, type TestPartner } from '../partner.js';
import { untilSettled } from '../settled.js';
import type { CustodyWorld } from './custody-world.js';
import type { Rates } from './vault-rates.js';

export const A_IS_BEST: Rates = [0.12, 0.03, 0.03];
export const B_IS_BEST: Rates = [0.03, 0.14, 0.03];
const DEPOSIT = 40_000;
const micro = (units: number): bigint => BigInt(Math.round(units * 1e6));

/** A partner with a user whose deposits are in A, and what happens to the moves of its funds. */
export class AttackedStage {
  private constructor(
    private readonly world: CustodyWorld,
    private readonly partner: TestPartner,
    private readonly user: string,
  ) {}

  static async start(world: CustodyWorld): Promise<AttackedStage> {
    const { stage, anvil, token } = world;
    change(stage.market.app.settings.constants.settlements, { notFoundHours: 2 });
    const wallet = anvil.accounts[1]!;
    await token.send('mint', wallet, 10n ** 15n);
    const partner = await createPartner(stage.market.app.admin);
    const body = { external_id: 'attacks', wallets: [getAddress(wallet)] };
    const { id } = dataOf(await partner.api.post('/users', body), 201);
    const attacked = new AttackedStage(world, partner, id);
    await attacked.deposit();
    return attacked;
  }

  async executor(): Promise<Api> {
    return (await this.world.stage.executor()).api;
  }

  /** A deposit that is in A, which is the best vault then. */
  async deposit(): Promise<void> {
    const { world } = this;
    for (let hour = 0; hour < 4; hour++) await world.turnHour(A_IS_BEST);
    const tx_hash = await world.transfer(world.anvil.accounts[1]!, world.account.address, micro(DEPOSIT));
    world.wait(1_000);
    const { vault_id } = await world.stage.deposit(this.user, DEPOSIT, { tx_hash, chain: 'ethereum' });
    if (vault_id !== A) throw new Error(`The deposit is in ${vault_id}.`);
    await world.run(...world.calls.enter(A, micro(DEPOSIT)));
  }

  /** An order that moves funds out of A, which the key has taken. */
  async ordered(api: Api): Promise<any> {
    const { world } = this;
    for (let hour = 0; hour < 12; hour++) {
      await world.turnHour(B_IS_BEST);
      const open = await world.stage.openOf(this.partner);
      const move = open.find(({ from_vault_id }) => from_vault_id === A);
      if (move) return world.stage.done(`/moves/${move.id}/taken`, undefined, api);
    }
    throw new Error('Nothing was ordered.');
  }

  /** A move, with the calls that are left of it. */
  callsOf(id: string): Promise<any> {
    return this.world.stage.get(`/moves/${id}?account=${this.world.account.address}`);
  }

  report(api: Api, id: string, step: string, amount: number, tx_hash: string): Promise<any> {
    this.world.wait(1_000);
    return this.world.stage.done(`/moves/${id}/${step}`, { tx_hash, amount }, api);
  }

  /** Carries out what is left of a move, as an honest executor does. */
  async perform(api: Api, id: string): Promise<void> {
    const { calls, amount, status } = await this.callsOf(id);
    const hash = await this.world.run(...calls);
    for (const step of status === 'arriving' ? ['settled'] : ['redeemed', 'settled'])
      await this.report(api, id, step, amount, hash);
  }

  /** What the chain says of a report. */
  async shown(id: string, step: 'redeemed' | 'settled'): Promise<string> {
    const { status, reason, found_amount } = (await this.world.stage.move(id))[step].check;
    return `${status} ${reason} ${found_amount}`;
  }

  async resolve(id: string, step: string, action: string): Promise<void> {
    const { stage } = this.world;
    this.world.wait(1_000);
    const body = { step, action, note: 'compared with the chain' };
    dataOf(await stage.post(`/moves/${id}/resolve`, body, {}, stage.market.app.admin), 200);
  }

  /** Kinds of alerts that began about a move, of administrators and of its partner. */
  async told(id: string): Promise<string[][]> {
    const { app } = this.world.stage.market;
    await untilSettled(app);
    const lists = [
      await app.admin.get('/alerts/events?limit=500'),
      await this.partner.api.get('/events?limit=500'),
    ];
    return lists.map((list) =>
      dataOf(list, 200)
        .map(({ data }: any) => data.alert)
        .filter((alert: any) => alert?.move_id === id && alert.state === 'begun')
        .map(({ kind }: any) => kind),
    );
  }

  /** The operator puts back what the vault of A lacks. */
  async restore(amount: bigint): Promise<void> {
    await this.world.token.send('mint', this.world.account.address, amount);
    await this.world.run(...this.world.calls.enter(A, amount));
  }
}
