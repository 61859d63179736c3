import fc from 'fast-check';
import { CampaignService } from '../../src/domain/tenants/partners/campaign.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { Engine, type Sights } from '../support/engine.js';
import { micro } from './golden.units.js';
import { PartnerReader } from './partner.reader.js';

/** A step of a partner's history. Users, assets and positions are selected by any number. */
export type Given =
  | { does: 'deposit'; user: number; asset: number; amount: bigint }
  /** Millionths of the value. */
  | { does: 'withdraw'; position: number; part: bigint }
  | { does: 'hours'; number: number; bps: number[] }
  | { does: 'campaign'; hundredths: number; off: boolean }
  | { does: 'share'; bps: number };

const index = fc.nat({ max: 30 });
export const given: fc.Arbitrary<Given> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('deposit' as const),
      user: index,
      asset: index,
      amount: fc.oneof(fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 1n, max: 10n ** 12n })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('withdraw' as const),
      position: index,
      part: fc.oneof(fc.constant(1_000_000n), fc.bigInt({ min: 1n, max: 999_999n })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('hours' as const),
      number: fc.constantFrom(1, 2, 3, 24),
      bps: fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 12, maxLength: 12 }),
    }),
  },
  fc.record({
    does: fc.constant('campaign' as const),
    hundredths: fc.integer({ min: 100, max: 1_000 }),
    off: fc.boolean(),
  }),
  fc.record({ does: fc.constant('share' as const), bps: fc.integer({ min: 0, max: 10_000 }) }),
);

/** A partner with two users, whose history is run step by step. */
export class Life {
  readonly positions: string[] = [];
  private campaignId: string | null = null;

  private constructor(
    private readonly engine: Engine,
    readonly reader: PartnerReader,
    readonly users: readonly string[],
  ) {}

  static async begin(engine: Engine): Promise<Life> {
    const partnerId = await engine.createPartner();
    const users = [await engine.createUser(partnerId), await engine.createUser(partnerId)];
    const life = new Life(engine, new PartnerReader(engine, partnerId), users);
    // A first deposit, so that there is something to move.
    await life.act({ does: 'deposit', user: 0, asset: 0, amount: 1_000_000_000n });
    return life;
  }

  async act(one: Given): Promise<void> {
    const { engine } = this;
    const { partnerId } = this.reader;
    engine.wait(7);
    if (one.does === 'deposit') {
      const asset = engine.settings.constants.assets[one.asset % 2]!;
      const { id } = await engine.deposit(this.users[one.user % 2]!, one.amount, asset);
      this.positions.push(id);
    }
    if (one.does === 'withdraw') await this.withdraw(one.position, one.part);
    if (one.does === 'hours') {
      engine.sights = sightsOf(engine, one.bps);
      await engine.hours(one.number);
    }
    if (one.does === 'share')
      await engine.context.get(PartnerService).update(partnerId, { revenueShareBps: one.bps });
    if (one.does === 'campaign') await this.setCampaign(one.hundredths, one.off);
  }

  private async withdraw(which: number, part: bigint): Promise<void> {
    const id = this.positions[which % this.positions.length]!;
    const { value } = (await this.reader.positions()).find((position) => position.id === id)!;
    const amount = (micro(value) * part) / 1_000_000n;
    if (amount > 0n) await this.engine.withdraw(id, amount);
  }

  private async setCampaign(multiplierHundredths: number, off: boolean): Promise<void> {
    const campaigns = this.engine.context.get(CampaignService);
    const { partnerId } = this.reader;
    const status = off ? ('disabled' as const) : ('active' as const);
    if (this.campaignId) await campaigns.update(partnerId, this.campaignId, { multiplierHundredths, status });
    else this.campaignId = (await campaigns.create(partnerId, { name: 'C', multiplierHundredths })).id;
  }
}

/** @param bps yields of the vaults in basis points, repeated in turn */
export const sightsOf = ({ settings }: Engine, bps: readonly number[]): Sights =>
  Object.fromEntries(
    settings.vaults.map(({ id }, place) => [id, { apy: bps[place % bps.length]! / 10_000 }]),
  );

/** An engine with frequent moves at low cost: short averages, low thresholds. */
export const lively = (): Promise<Engine> =>
  Engine.start('partner', {
    adjust: ({ signals, routing }) => {
      Object.assign(signals, { windowHours: 4, minSnapshots: 2, minCoverage: 0.1 });
      Object.assign(signals, { recentHalfLifeHours: 1, longHalfLifeHours: 2 });
      Object.assign(routing, {
        minDelta: 0.001,
        minNetGain: 1n,
        minHoursInVault: 1,
        returnWindowHours: 2,
      });
    },
    change: ({ vaults }) => vaults.forEach((vault) => Object.assign(vault, { entryCost: 3n, exitCost: 4n })),
  });
