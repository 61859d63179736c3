import type { Contract } from '../../src/config/deployments.js';
import { AuditChain } from '../../src/domain/tenants/audit/audit-chain.js';
import { Clock, addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { SystemResolver } from '../../src/domain/outbound/egress/system-resolver.js';
import { openInvoice } from '../support/invoice.js';
import type { Answer, Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { Conformance } from '../support/conformance.js';
import { contradict } from '../support/contradict.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { orderMove, receiveContradicted, receiveDeposit, receiveGain } from '../support/ordered-move.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { simulateMove } from '../support/simulated-move.js';
import { untilSettled } from '../support/settled.js';
import { type Call, send } from './call.js';
import { type Operation, operationsIn } from '../conformance/operations.js';
import { change } from '../support/change.js';

/** Ids that a request may name, by kind. The records may be changed freely. */
export type Pool = Record<
  | 'ptn'
  | 'cmp'
  | 'key'
  | 'usr'
  | 'idle'
  | 'pos'
  | 'received'
  | 'mov'
  | 'set'
  | 'wdr'
  | 'inv'
  | 'wh'
  | 'alert'
  | 'evt'
  | 'entry'
  | 'vlt',
  string[]
>;

/** A slow clock, which reaches no full hour: nothing happens in the world but the requests. */
const PACE = 1 / 1000;
let count = 0;

/** A running deployment with callers, records, and a bystander: a partner that only reads. */
export class World {
  pool!: Pool;
  /** The clock is stopped while two readings are compared. */
  private stopped = false;

  private constructor(
    readonly contract: Contract,
    readonly app: TestApp,
    readonly conformance: Conformance,
    readonly operations: Operation[],
    readonly receiver: Receiver,
    /** The partner that sends requests. */
    readonly partner: TestPartner,
    readonly bystander: TestPartner,
    private readonly protocol: Api,
    private readonly market: TestMarket | null,
  ) {}

  static async start(contract: Contract): Promise<World> {
    const env = { RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' };
    const market =
      contract === 'partner'
        ? await startMarket('partner', {
            env: { ...env, SETTLEMENT: 'reported' },
            // Amounts are those of the document's examples, whatever the funds are worth.
            adjust: ({ routing }) => change(routing, { maxDailyDeviation: 1, maxMonthlyDeviation: 1 }),
          })
        : null;
    const app = market?.app ?? (await startApp(contract, env, undefined, shortMarkets));
    // Names are never resolved in this world.
    const resolve = (): Promise<never> => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    change(app.application.get(SystemResolver), { resolve });
    const document: any = await (await fetch(`${app.url}/openapi.json`)).json();
    const conformance = await Conformance.of(contract);
    if (withoutServers(document) !== withoutServers(conformance.document))
      throw new Error('The server serves another document than the one that its answers are held against.');
    const world = new World(
      contract,
      app,
      conformance,
      operationsIn(document),
      await Receiver.start(),
      market?.partner ?? (await createPartner(app.admin)),
      await createPartner(app.admin),
      market?.protocol ?? app.admin,
      market,
    );
    await world.begin();
    return world;
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await (this.market ?? this.app).close();
  }

  /** A key that the operation admits. */
  keyOf({ scopes }: Operation): string {
    if (scopes.includes('partner:read')) return this.partner.key;
    return scopes.includes('write') ? this.protocol.key! : this.app.adminKey;
  }

  send(call: Call): Promise<Answer> {
    return send(this.app.url, call);
  }

  query<Row>(sql: string): Promise<Row[]> {
    return this.app.sql<Row>(sql);
  }

  /** Creates records to replace those that were used up, so that an operation finds what it needs. */
  async refreshFor({ method, operationId }: Operation): Promise<void> {
    if (method === 'GET') return;
    await this.refresh();
    // Funds to be redeemed are in a vault; a group has one move under way at a time.
    if (operationId === 'reportMoveRedeemed') this.pool.mov = [await orderMove(this.app, this.pool.pos[0]!)];
    if (operationId === 'reviewMove')
      this.pool.mov = [(await receiveGain(this.protocol, this.pool.usr[0]!)).mov];
    if (operationId === 'resolveMove')
      this.pool.mov = [(await receiveContradicted(this.app, this.pool.usr[0]!)).mov];
    if (operationId === 'allocatePosition') this.pool.pos = [this.pool.received[0]!];
  }

  private async refresh(): Promise<void> {
    const { partner, app } = this;
    for (const [api, path] of [
      [partner.api, '/webhooks'],
      [app.admin, '/alerts/webhooks'],
    ] as const)
      for (const { id } of (await api.get(`${path}?limit=500`)).body.data) await api.delete(`${path}/${id}`);
    const made = async (api: Api, path: string, input: () => object): Promise<string[]> => {
      const answers = [await api.post(path, input()), await api.post(path, input())];
      return answers.map((answer) => idOf(answer));
    };
    const ptn = [(await createPartner(app.admin)).id, (await createPartner(app.admin)).id];
    const user = (): object => ({ external_id: `world:${++count}` });
    const usr = await made(partner.api, '/users', user);
    const received =
      this.contract === 'partner'
        ? [await receiveDeposit(this.protocol, usr[0]!), await receiveDeposit(this.protocol, usr[1]!)]
        : [];
    this.pool = {
      ptn,
      cmp: await made(app.admin, `/partners/${ptn[0]}/campaigns`, () => ({ name: 'A campaign' })),
      key: await made(app.admin, '/keys', () => ({ label: 'A key' })),
      usr,
      // Users without positions.
      idle: await made(partner.api, '/users', user),
      pos: [await this.deposit(usr[0]!), await this.deposit(usr[0]!), await this.deposit(usr[1]!)],
      set: await this.contradicted(usr[0]!),
      wdr: await this.withdrawals(),
      inv: [await openInvoice(app, ptn[0]!), await openInvoice(app, ptn[0]!)],
      received: received.map(({ pos }) => pos),
      mov: this.contract === 'partner' ? received.map(({ mov }) => mov) : [await this.simulatedMove(usr[1]!)],
      // No event is sent to these endpoints: the deposits are done before they exist.
      wh: await made(partner.api, '/webhooks', () => ({ url: this.receiver.url, events: ['system.status'] })),
      alert: await made(app.admin, '/alerts/webhooks', () => ({ url: this.receiver.url })),
      vlt: ((await partner.api.get('/vaults')).body.data as { id: string }[]).map(({ id }) => id),
      entry: (
        await this.query<{ id: string }>(
          `SELECT min(id) AS id FROM ledger_entries WHERE partner_id = '${partner.id}'`,
        )
      ).map(({ id }) => id),
      evt: [
        (
          await this.query<{ id: string }>(
            `SELECT max(id) AS id FROM events WHERE partner_id = '${partner.id}' AND fanned_out`,
          )
        )[0]!.id,
      ],
    };
  }

  /**
   * A digest of every table: the number of its rows, and its newest transaction id.
   *
   * @returns by table
   */
  async rows(): Promise<Record<string, string>> {
    // The heartbeat of a process, the count of what partners store and the links of the audit log belong to no request.
    const tables = await this.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema AND tablename NOT IN ('replicas', 'stored_bytes', 'audit_chain', 'audit_links', 'audit_queue') ORDER BY 1`,
    );
    // The last use of a key is written later, in a batch.
    const stamp = (name: string): string =>
      name === 'api_keys'
        ? `md5(string_agg((to_jsonb(t) - 'last_used_at')::text, '|' ORDER BY id))`
        : 'max(xmin::text::bigint)::text';
    const parts = tables.map(
      ({ name }) => `SELECT '${name}' AS name, concat(count(*), ' ', ${stamp(name)}) AS rows FROM ${name} t`,
    );
    const counts = await this.query<{ name: string; rows: string }>(parts.join(' UNION ALL '));
    return Object.fromEntries(counts.map(({ name, rows }) => [name, rows]));
  }

  /** Everything that the bystander can read, at one moment. */
  async reading(): Promise<Record<string, string>> {
    this.stopped = true;
    // An entry of the audit log has its hash once it is linked.
    await this.app.application.get(AuditChain).extend();
    const [usr, pos, wdr] = this.belongings;
    const reads = this.operations.filter(
      // The bystander has no move.
      ({ method, path, scopes }) =>
        method === 'GET' && scopes.includes('partner:read') && path !== '/moves/{id}',
    );
    const answers: [string, string][] = [];
    for (const { path } of reads) {
      const filled = path
        .replace('/positions/{id}', `/positions/${pos}`)
        .replace('/withdrawals/{id}', `/withdrawals/${wdr}`)
        .replace('/vaults/{id}', `/vaults/${this.pool.vlt[0]!}`)
        .replace('{id}', usr!)
        .replace('{asset}', 'USDC')
        .replace('{period}', '2026-01');
      const { status, text } = await this.bystander.api.get(filled);
      answers.push([filled, `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`]);
    }
    this.stopped = false;
    return Object.fromEntries(answers);
  }

  private async simulatedMove(usr: string): Promise<string> {
    const { api } = this.partner;
    // Under the scenario of an earlier request, nothing may move.
    await api.post('/simulation/market', { scenario: 'calm' });
    return simulateMove(this.app, api, await this.deposit(usr));
  }

  /** Three of a new user, who has more. */
  private async withdrawals(): Promise<string[]> {
    const { api } = this.partner;
    const usr = idOf(await api.post('/users', { external_id: `payee:${++count}` }));
    await this.deposit(usr);
    return [await withdrawn(api, usr), await withdrawn(api, usr), await withdrawn(api, usr)];
  }

  /** The bystander's user, position and withdrawal. */
  private belongings: string[] = [];

  private async begin(): Promise<void> {
    const clock = this.app.application.get(Clock);
    const start = addHours(hourOf(clock.now()), 1).getTime() + 60_000;
    const begun = Date.now();
    clock.now = () => new Date(start + (this.stopped ? 0 : (Date.now() - begun) * PACE));
    // Runs the hour that has begun, with all its effects, so that no hour is due.
    await this.app.application.get(HourlyCycle).run();
    const { api } = this.bystander;
    const usr = idOf(await api.post('/users', { external_id: 'bystander' }));
    this.belongings = [usr, await this.deposit(usr, this.bystander), await withdrawn(api, usr)];
    await api.post('/webhooks', { url: this.receiver.url });
    await this.refresh();
    await untilSettled(this.app);
  }

  /** Two settlements that the chain contradicts; the sandbox has none. */
  private async contradicted(userId: string): Promise<string[]> {
    if (!this.market) return [];
    const positions = [await this.deposit(userId), await this.deposit(userId)];
    return Promise.all(positions.map((id) => contradict(this.app, id)));
  }

  private async deposit(userId: string, { api }: TestPartner = this.partner): Promise<string> {
    if (this.market) return (await this.market.deposit(userId, 1_000)).id;
    return idOf(await api.post('/positions', { user_id: userId, asset: 'USDC', amount: 1_000 }));
  }
}

const withoutServers = (document: object): string => JSON.stringify({ ...document, servers: [] });

const withdrawn = async (api: Api, usr: string): Promise<string> =>
  idOf(await api.post(`/users/${usr}/withdrawals`, { asset: 'USDC', amount: 10 }));

function idOf({ status, text, body }: Answer): string {
  if (status !== 201) throw new Error(`answered ${status}: ${text}`);
  return body.data.id;
}
