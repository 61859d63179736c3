import type { Constants } from '../../src/config/constants.js';
import type { Settings } from '../../src/config/settings.js';
import { type Cycle, HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';
import type { Answer, Api } from './api.js';
import { listed } from './catalogue.js';
import { Conformance } from './conformance.js';
import { differencesOf } from './differences.js';
import { dataOf } from './fields.js';
import { newTxHash, startMarket, type TestMarket, type Yields } from './market.js';
import { createPartner, type TestPartner } from './partner.js';
import { change } from './change.js';

export const [A, B, C] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc', 'vlt_spark_savings_usdc'] as const;
export const IDLE = 'vlt_idle_usdc';
const MOST_HOURS = 12;

/**
 * Three vaults of one risk tier; each costs 1 to enter and 1 to leave. A has an exit delay, which has no effect here: reports say when funds arrive.
 */
function threeVaults({ signals, routing }: Constants, settings: Settings): void {
  change(signals, { windowHours: 4, minSnapshots: 2 });
  change(signals, { recentHalfLifeHours: 1, longHalfLifeHours: 1 });
  change(routing, { orderExpiresHours: 3, minHoursInVault: 1, returnWindowHours: 0 });
  settings.vaults = settings.vaults.filter(
    (vault) => isIdle(vault) || [A, B, C].includes(vault.id as typeof A),
  );
  const same = { riskTier: 'low', entryCost: 1_000_000n, exitCost: 1_000_000n, dilution: 'none' } as const;
  for (const vault of listed(settings)) change(vault, { ...same, exitDelayHours: 0 });
  settings.vaults.find(({ id }) => id === A)!.exitDelayHours = 24;
}

/** A live deployment with reported moves, and the executor that carries them out. */
export class MovesStage {
  private constructor(
    readonly market: TestMarket,
    private readonly conformance: Conformance,
    /** Reports deposits, by another key than that of the executor, whose bounds they raise. */
    private readonly depositor: Api,
  ) {}

  /** @param more further settings, and changes after those of the three vaults */
  static async start(
    more: { env?: Record<string, string>; adjust?: (constants: Constants, settings: Settings) => void } = {},
  ): Promise<MovesStage> {
    const market = await startMarket('partner', {
      env: { SETTLEMENT: 'reported', ...more.env },
      adjust: (constants, settings) => {
        threeVaults(constants, settings);
        more.adjust?.(constants, settings);
      },
      yields: { [A]: { apy: 0.05 }, [B]: { apy: 0.04 }, [C]: { apy: 0.03 } },
    });
    const { admin } = market.app;
    const { body } = await admin.post('/keys', { label: 'deposits', scopes: ['write'] });
    const stage = new MovesStage(market, await Conformance.of('partner'), admin.as(body.data.secret));
    market.holdClock();
    await stage.hours(4);
    return stage;
  }

  close(): Promise<void> {
    return this.market.close();
  }

  /** Runs hours, with the full cycle of each. */
  async hours(count = 1): Promise<Cycle> {
    let cycle!: Cycle;
    for (let hour = 0; hour < count; hour++) {
      await this.market.advance();
      cycle = await this.market.app.application.get(HourlyCycle).run();
    }
    return cycle;
  }

  see(a: number, b: number, c = 0.03): void {
    const yields: Yields = { [A]: { apy: a }, [B]: { apy: b }, [C]: { apy: c } };
    this.market.setYields(yields);
  }

  /** A partner with a user, whose deposits go to A. */
  async party(): Promise<{ partner: TestPartner; user: string }> {
    this.see(0.05, 0.04);
    await this.hours(4);
    const partner = await createPartner(this.market.app.admin);
    return { partner, user: await this.market.createUser(partner) };
  }

  /** An executor with a key of its own, whose reports no other test counts. */
  async executor(): Promise<{ api: Api; keyId: string }> {
    const { admin } = this.market.app;
    const { id, secret } = dataOf(await admin.post('/keys', { label: 'executor', scopes: ['write'] }), 201);
    return { api: admin.as(secret), keyId: id };
  }

  vault(id: string): Settings['vaults'][number] {
    return this.market.app.settings.vaults.find((vault) => vault.id === id)!;
  }

  /** Sends a POST over HTTP, whose answer must match the document. */
  async post(path: string, body?: object, headers: Record<string, string> = {}, api?: Api): Promise<Answer> {
    const answer = await (api ?? this.market.protocol).send('POST', path, body, headers);
    this.conformance.check('POST', path, answer);
    if (body && answer.status < 300) this.conformance.checkBody('POST', path, body);
    return answer;
  }

  async get(path: string): Promise<any> {
    const answer = await this.market.protocol.get(path);
    this.conformance.check('GET', path, answer);
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body.data;
  }

  async done(path: string, body?: object, api?: Api): Promise<any> {
    const answer = await this.post(path, body, {}, api);
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body.data;
  }

  deposit(userId: string, amount: number, more: object = {}): Promise<any> {
    const body = { user_id: userId, asset: 'USDC', amount, tx_hash: newTxHash(), ...more };
    return this.done('/positions', body, this.depositor);
  }

  async withdraw(id: string, amount?: number): Promise<any> {
    const body = { tx_hash: newTxHash(), ...(amount !== undefined && { amount }) };
    this.market.pass(1);
    const withdrawn = await this.done(`/positions/${id}/withdrawals`, body);
    this.market.pass(1);
    return withdrawn;
  }

  position(id: string): Promise<any> {
    return this.get(`/positions/${id}`);
  }

  move(id: string): Promise<any> {
    return this.get(`/moves/${id}`);
  }

  report(id: string, step: 'redeemed' | 'settled', amount: number, txHash = newTxHash()): Promise<any> {
    // Cash earns nothing, and a second effect in a millisecond is dated a millisecond later.
    if (step === 'settled') this.market.pass(1);
    return this.done(`/moves/${id}/${step}`, { tx_hash: txHash, amount });
  }

  async openOf({ id }: TestPartner): Promise<any[]> {
    const moves = await this.get('/moves?status=requested');
    return moves.filter((move: any) => move.partner_id === id);
  }

  /** Runs hours until the partner has an order. */
  async untilOrdered(partner: TestPartner): Promise<any> {
    for (let hour = 0; hour < MOST_HOURS; hour++) {
      await this.hours();
      const [move] = await this.openOf(partner);
      if (move) return move;
    }
    throw new Error('Nothing was ordered.');
  }

  /** Two positions of 60,000 and 40,000 in A, and the order that moves them to the better B. */
  async ordered(): Promise<{ partner: TestPartner; user: string; ids: [string, string]; move: any }> {
    const { partner, user } = await this.party();
    const [large, small] = [await this.deposit(user, 60_000), await this.deposit(user, 40_000)];
    this.see(0.05, 0.12);
    return { partner, user, ids: [large.id, small.id], move: await this.untilOrdered(partner) };
  }

  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.market.app.sql<Row>(text, values);
  }

  differences(): Promise<string[]> {
    return differencesOf(this.market.app.application);
  }
}
