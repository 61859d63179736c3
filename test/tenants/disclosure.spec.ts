import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { Clock, hourOf } from '../../src/domain/kernel/clock.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { documentedOperations, filledPath } from '../support/document.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';

const AAVE = 'vlt_aave_v3_usdc';
const COMPOUND = 'vlt_compound_v3_usdc';
/** Both round to 12,000,000 at two digits, and are more than 15 % of a vault of 70 million. */
const [ONE, OTHER] = [12_345_678.912345, 11_654_321.054321];
/** With the 100 deposited before, a cent below the sum of 12,500,000, from which on the first amount would be rounded up. */
const NEAR_THE_FLIP = 154_221.08;

const SHORT = ({ signals }: Constants): void => {
  signals.windowHours = 4;
  signals.minSnapshots = 2;
  signals.recentHalfLifeHours = signals.longHalfLifeHours = 1;
};

/** A deployment in which one partner reads everything that it may, while another partner holds an amount. */
class Life {
  private constructor(
    readonly market: TestMarket,
    readonly curious: TestPartner,
    private readonly receiver: Receiver,
    private readonly user: string,
  ) {}

  static async start(): Promise<Life> {
    const market = await startMarket('partner', {
      adjust: SHORT,
      yields: { [COMPOUND]: { apy: 0.06, tvl: 130_000_000 } },
    });
    // The clock is held at the beginning of an hour, so that every life has the same moments.
    market.holdClock();
    const [started, begin] = [market.now().getTime(), hourOf(market.now()).getTime()];
    market.app.application.get(Clock).now = () => new Date(begin + market.now().getTime() - started);
    const receiver = await Receiver.start();
    const curious = await createPartner(market.app.admin);
    const { status } = await curious.api.post('/webhooks', { url: receiver.url });
    expect(status).toBe(201);
    const life = new Life(market, curious, receiver, await market.createUser(curious));
    await market.advance(3);
    return life;
  }

  /** A deposit of the partner that reads. */
  deposit(amount: number): Promise<{ id: string; vault_id: string }> {
    return this.market.deposit(this.user, amount);
  }

  /** A deposit of the other partner, into the best vault at the time. */
  async deposit2(amount: number): Promise<{ vault_id: string }> {
    const other = await createPartner(this.market.app.admin);
    return this.market.deposit(await this.market.createUser(other), amount);
  }

  async decisions(): Promise<any[]> {
    return (await this.curious.api.get('/analytics/decisions')).body.data;
  }

  async hours(count: number): Promise<void> {
    for (let hour = 0; hour < count; hour++) {
      await this.market.advance();
      await this.market.app.application.get(HourlyCycle).run();
    }
  }

  /** Every answer that the partner's key and a key with `read` get, and every event, without ids, times, and figures that grow continuously. */
  async shown(): Promise<Record<string, string>> {
    await untilSettled(this.market.app);
    const [position] = (await this.curious.api.get('/positions')).body.data;
    const answers: Record<string, string> = {};
    for (const asked of await documentedOperations(this.market.app)) {
      if (asked.method !== 'GET' || asked.name === 'GET /partner/points') continue;
      const api = asked.scopes.includes('partner:read') ? this.curious.api : this.market.reader;
      const { body, text } = await api.get(filledPath(asked, { usr: this.user, pos: position?.id }));
      if (asked.name === 'GET /webhooks/deliveries')
        answers[asked.name] = body.data
          .map(({ payload }: any) => bare(JSON.stringify(payload)))
          .sort()
          .join('\n');
      else answers[asked.name] = bare(text);
    }
    return answers;
  }

  async close(): Promise<void> {
    await this.market.close();
    await this.receiver.close();
  }
}

const bare = (text: string): string =>
  text
    .replace(/\b([a-z]+)_[0-9a-z]{26}\b/g, '$1_')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"points":[\d.]+/g, '"points":0')
    .replace(/"latency_ms":\d+/g, '"latency_ms":0')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'url')
    .replace(/market:\d+/g, 'market:')
    .replace(/tx\/0x[0-9a-f]{64}/g, 'tx/')
    .replace(/Partner \d+/g, 'Partner')
    // The hash of an audit row is null until the next pass chains it.
    .replace(/"(request_id|secret|tx_hash|hash)":("[^"]*"|null)/g, '"$1":""');

describe('the funds of another partner', () => {
  const lives: Life[] = [];
  const begin = async (): Promise<Life> => {
    const life = await Life.start();
    lives.push(life);
    return life;
  };
  afterAll(() => Promise.all(lives.map((life) => life.close())));

  describe('of two amounts with the same first two digits', () => {
    let answers: Record<string, string>[];
    let holds: any[];

    beforeAll(async () => {
      answers = [];
      holds = [];
      for (const amount of [ONE, OTHER]) {
        const life = await begin();
        // Deposits that search for the amount at which a rounded sum changes.
        await life.deposit(100);
        expect((await life.deposit2(amount)).vault_id).toBe(COMPOUND);
        for (const amount of [NEAR_THE_FLIP, 0.01, 0.01, 1_000]) await life.deposit(amount);
        // Another vault is better for a while, then this one again: the holding is judged against a vault that is full.
        life.market.setYields({ [AAVE]: { apy: 0.09 } });
        await life.hours(3);
        expect((await life.deposit(5_000)).vault_id).toBe(AAVE);
        life.market.setYields({ [AAVE]: { apy: 0.05 }, [COMPOUND]: { apy: 0.2, tvl: 70_000_000 } });
        await life.hours(7);
        holds.push((await life.decisions()).find(({ rationale }) => rationale.includes('Share (')));
        answers.push(await life.shown());
      }
    }, 120_000);

    it('The funds of another partner of two amounts with the same first two digits are the same in every answer and event', () => {
      const [first, other] = answers;
      expect(Object.keys(first!).length).toBeGreaterThan(18);
      for (const [operation, text] of Object.entries(first!))
        expect([operation, other![operation]]).toEqual([operation, text]);
    });

    it('The funds of another partner of two amounts with the same first two digits are named in a decision with two digits alone', () => {
      for (const hold of holds) {
        expect(hold.rationale).toContain('Share (17 %, must be at most 15 %)');
        const target = hold.alternatives.find(({ vault_id }: any) => vault_id === COMPOUND);
        expect(target.gates).toContainEqual({ gate: 'share', value: 0.17, threshold: 0.15, passed: false });
      }
    });
  });

  it('The funds of another partner do not change the series, signals and regimes of the market', async () => {
    const [with_, without] = [await begin(), await begin()];
    await with_.deposit2(ONE);
    for (const life of [with_, without]) {
      life.market.setYields({ [AAVE]: { apy: 0.09, tvl: 30_000_000 } });
      await life.hours(3);
    }
    const [first, other] = [await with_.shown(), await without.shown()];
    for (const operation of [
      'GET /yield/history/{asset}',
      'GET /analytics/signals',
      'GET /analytics/regime',
      'GET /vaults',
    ])
      expect([operation, first[operation]]).toEqual([operation, other[operation]]);
    const { points } = JSON.parse(first['GET /yield/history/{asset}']!).data;
    expect(points.at(-1)).toMatchObject({ tvl: 660_000_000, vaults: 7 });
  });
});
