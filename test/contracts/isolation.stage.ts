import { DailyAccrualService } from '../../src/domain/books/positions/daily-accrual.service.js';
import { addHours, Clock } from '../../src/domain/kernel/clock.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market-view.js';
import { ClosingService } from '../../src/domain/reporting/closing.service.js';
import type { Contract } from '../../src/config/deployments.js';
import { newId } from '../../src/domain/kernel/identifier.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { ReservesTask } from '../../src/jobs/tasks/reserves.task.js';
import type { Answer, Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { contradict } from '../support/contradict.js';
import { newTxHash, startMarket } from '../support/market.js';
import { orderMove, receiveContradicted, receiveDeposit, receiveGain } from '../support/ordered-move.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { simulateMove } from '../support/simulated-move.js';
import { untilSettled } from '../support/settled.js';
import { type Surface, surfacesOf } from './isolation.places.js';
import { type Assignment, ownIds } from './isolation.requests.js';

/** Ids by kind and by their special state. The first id of a kind is in the ordinary state. */
export type Ids = Record<string, Record<string, string>>;

/** A partner with a record of every kind. */
export interface Party extends TestPartner {
  /** A caller with another key of the partner. */
  colleague: Api;
  /** A caller with a key of the partner that may read the market alone. */
  reader: Api;
  ids: Ids;
  /** Signing secrets of the partner's endpoints. */
  secrets: string[];
}

/** The wallet of each party's idle user: a wallet is unique within one partner only. */
export const IDLE_WALLET = `0x${'0'.repeat(39)}1`;

const ENV = { RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' };
const REPORTED = { ...ENV, SETTLEMENT: 'reported' };
/** Open withdrawals of a user. */
const MOST_OPEN = 10;
let count = 0;

/** A deployment with a fixed clock and three partners whose records are equal, to the last amount and receiver. */
export class Stage {
  private constructor(
    readonly app: TestApp,
    readonly contract: Contract,
    readonly receiver: Receiver,
    readonly surfaces: Surface[],
    /** A caller with an unbound key of the scope `write`. */
    readonly protocol: Api,
    private readonly end: () => Promise<void>,
  ) {}

  /** The partner that acts. */
  first!: Party;
  /** The partner that must not be affected. */
  second!: Party;
  third!: Party;

  static async start(contract: Contract): Promise<Stage> {
    const market = contract === 'partner' ? await startMarket('partner', { env: REPORTED }) : null;
    const app = market?.app ?? (await startApp(contract, ENV, undefined, shortMarkets));
    // Three hours before the end of a month, so that the stage closes a day of two months.
    const began = market?.now() ?? new Date();
    const monthEnd = new Date(Date.UTC(began.getUTCFullYear(), began.getUTCMonth() + 1, 1));
    const at = addHours(monthEnd, addHours(monthEnd, -3) > began ? -3 : 24 * 28 - 3);
    app.application.get(Clock).now = () => at;
    if (market) await market.tick();
    // Housekeeping is stopped, because its statements would mix with those of a request, and its changes with those of the tables.
    await app.application.get(HousekeepingTimer).stop();
    const receiver = await Receiver.start();
    const writer = await app.admin.post('/keys', { label: 'protocol', scopes: ['write', 'read'] });
    const end = async (): Promise<void> => {
      await receiver.close();
      await (market ?? app).close();
    };
    const protocol = app.admin.as(writer.body.data.secret);
    const stage = new Stage(app, contract, receiver, await surfacesOf(app), protocol, end);
    stage.first = await stage.party();
    stage.second = await stage.party();
    stage.third = await stage.party();
    if (market) {
      for (const hours of [3, 27]) {
        const later = addHours(at, hours);
        app.application.get(Clock).now = () => later;
        await market.tick();
        await app.application.get(DailyAccrualService).postDue(BASE_MARKET);
        await app.application.get(ClosingService).write(BASE_MARKET);
        await app.application.get(ReservesTask).run();
      }
    }
    for (const party of stage.parties) {
      const rows = await stage.sql<{ id: string }>('SELECT id FROM invoices WHERE partner_id = $1', [
        party.id,
      ]);
      party.ids['inv'] = Object.fromEntries(rows.map(({ id }, index) => [`of asset ${index}`, id]));
    }
    for (const { parameters } of stage.surfaces)
      for (const parameter of parameters)
        if (parameter.name === 'period') parameter.example = at.toISOString().slice(0, 7);
    await untilSettled(app);
    return stage;
  }

  close(): Promise<void> {
    return this.end();
  }

  get parties(): Party[] {
    return [this.first, this.second, this.third];
  }

  /** Runs SQL in the deployment's schema. */
  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.app.sql<Row>(text, values);
  }

  /** A digest for each table: the number and the hash of the rows that name a partner or its records. Queued work is left out. */
  async traces({ id: partnerId, ids }: Party): Promise<string[]> {
    // The hourly rows of a market are many, and name no partner.
    const tables = await this.sql<{ name: string; hourly: boolean }>(
      `SELECT quote_ident(relname) AS name, array_agg(attname::text) @> '{market_id}' AND NOT array_agg(attname::text) && '{partner_id,user_id}' AS hourly
         FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' GROUP BY relname ORDER BY relname`,
    );
    const each = tables.map(
      ({ name, hourly }) =>
        `SELECT '${name}' AS name, count(*)::int AS rows, md5(string_agg(t::text, '' ORDER BY t::text)) AS digest
           FROM ${name} t WHERE ${hourly ? 'market_id = $2' : 't::text LIKE ANY ($1)'}`,
    );
    const named = Object.values(ids).flatMap((some) => Object.values(some).map((id) => `%${id}%`));
    const digests = await this.sql<{ name: string; rows: number; digest: string }>(
      `${each.join(' UNION ALL ')} UNION ALL SELECT '', 0, $2 ORDER BY name`,
      [named, partnerId],
    );
    return digests
      .filter(({ rows }) => rows > 0)
      .map(({ name, rows, digest }) => `${name}: ${rows} ${digest}`);
  }

  /** The caller that may open positions for a partner and withdraw from them. */
  mover(party: Party): Api {
    return this.contract === 'partner' ? this.protocol : party.api;
  }

  private async party(): Promise<Party> {
    const { admin } = this.app;
    const partner = await createPartner(admin, 'Twin');
    const keyOf = async (scopes: string[]): Promise<{ id: string; secret: string }> =>
      made(await admin.post('/keys', { label: 'twin', scopes, partner_id: partner.id }));
    const [colleague, reader] = [await keyOf(['partner:read', 'read']), await keyOf(['read'])];
    const party: Party = {
      ...partner,
      colleague: admin.as(colleague.secret),
      reader: admin.as(reader.secret),
      ids: { key: { ordinary: colleague.id, own: partner.keyId }, ptn: { itself: partner.id } },
      secrets: [],
    };
    party.ids['cmp'] = await this.campaigns(party);
    party.ids['wh'] = await this.webhooks(party);
    const [event] = await this.sql<{ id: string }>('SELECT min(id) AS id FROM events WHERE partner_id = $1', [
      party.id,
    ]);
    party.ids['evt'] = { ordinary: event!.id };
    party.ids['usr'] = await this.users(party);
    party.ids['pos'] = await this.positions(party);
    const [entry] = await this.sql<{ id: string }>(
      'SELECT min(id) AS id FROM ledger_entries WHERE partner_id = $1',
      [party.id],
    );
    party.ids['entry'] = { ordinary: entry!.id };
    if (this.contract === 'partner') party.ids['set'] = await this.settlements(party);
    party.ids['mov'] = await this.moves(party);
    party.ids['wdr'] = await this.withdrawals(party);
    await this.sql(`UPDATE users SET status = 'blocked' WHERE id = $1`, [party.ids['usr']['blocked']]);
    return party;
  }

  private async campaigns({ id }: Party): Promise<Record<string, string>> {
    const path = `/partners/${id}/campaigns`;
    const create = async (): Promise<string> =>
      made(await this.app.admin.post(path, { name: 'Double', points_multiplier: 2 })).id;
    const ids = { ordinary: await create(), disabled: await create() };
    await this.app.admin.patch(`${path}/${ids.disabled}`, { status: 'disabled' });
    return ids;
  }

  private async webhooks(party: Party): Promise<Record<string, string>> {
    const register = async (input: object): Promise<string> => {
      const { id, secret } = made(await party.api.post('/webhooks', { url: this.receiver.url, ...input }));
      party.secrets.push(secret);
      await party.api.post(`/webhooks/${id}/test`);
      return id;
    };
    const ids = {
      ordinary: await register({}),
      inactive: await register({ active: false }),
      narrow: await register({ events: ['position.closed'] }),
      deleted: await register({}),
    };
    await party.api.delete(`/webhooks/${ids.deleted}`);
    return ids;
  }

  private async users({ api }: Party): Promise<Record<string, string>> {
    const create = async (wallet?: string): Promise<string> => {
      const input = {
        external_id: `twin:${++count}`,
        label: 'Twin',
        wallets: [wallet ?? `0x3${String(count).padStart(39, '0')}`],
        metadata: { tier: 'gold' },
      };
      return made(await api.post('/users', input)).id;
    };
    const [payee, full] = [await create(), await create()];
    const users = { ordinary: await create(), blocked: await create(), idle: await create(IDLE_WALLET) };
    return { ...users, payee, full };
  }

  private async positions(party: Party): Promise<Record<string, string>> {
    const mover = this.mover(party);
    const settled = (): object => (this.contract === 'partner' ? { tx_hash: newTxHash() } : {});
    const open = async (user: string, amount: number): Promise<string> => {
      const input = { user_id: party.ids['usr']![user], asset: 'USDC', amount, ...settled() };
      return made(await mover.post('/positions', input)).id;
    };
    const ids = {
      ordinary: await open('ordinary', 1000),
      closed: await open('ordinary', 10),
      blocked: await open('blocked', 20),
      paying: await open('payee', 100),
      reserved: await open('full', 100),
    };
    const withdraw = async (id: string, amount: object): Promise<unknown> =>
      made(await mover.post(`/positions/${id}/withdrawals`, { ...amount, ...settled() }));
    for (const amount of [1, 2, 3]) await withdraw(ids.ordinary, { amount });
    await withdraw(ids.closed, {});
    await this.moveAbout(ids.ordinary);
    if (this.contract === 'sandbox') made(await party.api.post('/simulation/clock/advance', { hours: 30 }));
    return ids;
  }

  /** Settlements of deposits that the chain contradicts, and of one that it confirms. */
  private async settlements(party: Party): Promise<Record<string, string>> {
    return {
      ordinary: await contradict(this.app, made(await this.deposit(party)).id),
      unchecked: made(await this.deposit(party)).settlement.id,
    };
  }

  /** Moves of deposits that were received and are to be put into their vault; in the sandbox, one that the policy asks for. */
  private async moves(party: Party): Promise<Record<string, string>> {
    if (this.contract === 'sandbox')
      return { ordinary: await simulateMove(this.app, party.api, party.ids['pos']!['ordinary']!) };
    const { pos, mov } = await this.receive(party);
    party.ids['pos']!['received'] = pos;
    return { ordinary: mov, further: (await this.receive(party)).mov };
  }

  private receive(party: Party): Promise<{ pos: string; mov: string }> {
    return receiveDeposit(this.protocol, party.ids['usr']!['ordinary']!, 20);
  }

  /** A withdrawal that was paid; where executors pay, also as many of another user as one may have open. */
  private async withdrawals(party: Party): Promise<Record<string, string>> {
    const ordinary = await this.withdraw(party);
    if (this.contract === 'sandbox') return { ordinary };
    made(await this.protocol.post(`/withdrawals/${ordinary}/paid`, { tx_hash: newTxHash() }));
    const open: string[] = [];
    for (let n = 0; n < MOST_OPEN; n++) {
      open.push(await this.withdraw(party, 'full'));
      // One that nobody has taken lapses with the hours of the stage.
      made(await this.protocol.post(`/withdrawals/${open[n]}/taken`));
    }
    return { ordinary, taken: open[0]! };
  }

  private async withdraw({ api, ids }: Party, user = 'payee'): Promise<string> {
    const input = { asset: 'USDC', amount: 0.01 };
    return made(await api.post(`/users/${ids['usr']![user]}/withdrawals`, input)).id;
  }

  /** The ids of a party for an operation that changes a record. An operation that happens once to a record gets a new record. */
  async actedOn({ operationId, places }: Surface, party: Party): Promise<Assignment> {
    const fresh = await this.freshFor(operationId, places, party);
    return new Map(
      [...ownIds(places, party)].map(([location, id]) => [location, fresh[location.kind] ?? id]),
    );
  }

  private async freshFor(
    operationId: string,
    places: Surface['places'],
    party: Party,
  ): Promise<Record<string, string>> {
    if (operationId === 'resolveSettlement')
      return { set: await contradict(this.app, made(await this.deposit(party)).id) };
    if (operationId === 'reportMoveSettled' || operationId === 'allocatePosition') return this.receive(party);
    if (operationId === 'reviewMove') return receiveGain(this.protocol, party.ids['usr']!['ordinary']!, 20);
    if (operationId === 'resolveMove')
      return receiveContradicted(this.app, party.ids['usr']!['ordinary']!, 20);
    if (places.some(({ kind }) => kind === 'mov') && operationId !== 'readMove')
      return { mov: await orderMove(this.app, made(await this.deposit(party)).id) };
    if (places.some(({ kind }) => kind === 'wdr') && operationId !== 'readWithdrawal')
      return { wdr: await this.withdraw(party) };
    return {};
  }

  private deposit(party: Party): Promise<Answer> {
    const input = { user_id: party.ids['usr']!['ordinary'], asset: 'USDC', amount: 20, tx_hash: newTxHash() };
    return this.protocol.post('/positions', input);
  }

  /** Writes ledger entries as if a position had been moved three times, each under the decision that placed it. */
  private async moveAbout(positionId: string): Promise<void> {
    const now = this.app.application.get(Clock).now();
    const entries = [1, 2, 3].map(() => newId('event', now));
    await this.sql(
      `INSERT INTO ledger_entries (id, at, recorded_at, type, partner_id, user_id, position_id, asset, vault_id, from_vault_id, amount, cost, apy, share_index, from_index, decision_id)
       SELECT moved.id, $3, $3, 'rebalance', e.partner_id, e.user_id, position_id, e.asset, e.vault_id, e.vault_id,
              floor(p.shares * share_index / 1e30), 0, 0, share_index, share_index, decision_id
         FROM unnest($1::text[]) AS moved(id), ledger_entries e JOIN positions p ON p.id = position_id WHERE position_id = $2 AND type = 'deposit'`,
      [entries, positionId, now],
    );
  }
}

/** `data` of a success. @throws Error for any other answer */
export function made({ status, text, body }: Answer): any {
  if (status !== 200 && status !== 201) throw new Error(`answered ${status}: ${text}`);
  return body.data;
}
