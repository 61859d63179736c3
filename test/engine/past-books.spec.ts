import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PositionService } from '../../src/domain/books/positions/position.service.js';
import { ClosingService } from '../../src/domain/reporting/closing.service.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { CampaignService } from '../../src/domain/tenants/partners/campaign.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { onlyVaults } from '../support/catalogue.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;
const VAULT = 'vlt_aave_v3_usdc';
const ALL = { limit: 500, after: null };
const REPORTS = ['summary', 'deposits', 'withdrawals', 'tvl', 'yield', 'points', 'revenue'] as const;

describe('a past moment of the open day', () => {
  let engine: Engine;
  let partner: string;
  let then: Date;
  /** What was shown at that moment. */
  let shown: Record<string, any>;

  const read = async (asOf?: Date): Promise<Record<string, any>> => {
    const reports = engine.context.get(ReportService);
    const quotes = asOf ? await engine.context.get(ClosingService).quotesAt(partner, asOf, 'as_of') : null;
    const all = REPORTS.map(async (name) => [name, await reports[name](partner, asOf)] as const);
    const users = (await reports.users(partner, ALL, { asOf })).items;
    return {
      ...Object.fromEntries(await Promise.all(all)),
      // What was available at a past moment is not kept.
      users: users.map(({ balances, ...user }) => ({
        ...user,
        balances: balances.map(({ available: _, ...balance }) => balance),
      })),
      positions: (await engine.context.get(PositionService).list({ partnerId: partner }, ALL, quotes)).items,
    };
  };

  beforeAll(async () => {
    engine = await Engine.start('partner', { change: onlyVaults(VAULT) });
    engine.sights = { [VAULT]: { apy: 0.05 } };
    await engine.hours(2);
    partner = await engine.createPartner();
    const campaigns = engine.context.get(CampaignService);
    const { id: campaign } = await campaigns.create(partner, { name: 'Spring', multiplierHundredths: 150 });
    engine.wait();
    const user = await engine.createUser(partner);
    const other = await engine.createUser(partner);
    const { id: kept } = await engine.deposit(user, 90_000n * UNIT);
    const { id: paid } = await engine.deposit(other, 7_000n * UNIT);
    await engine.hours(3);
    // Posts what one of them has earned so far.
    await engine.withdraw(kept, 5n * UNIT);
    await engine.hours(2);
    engine.wait();
    then = engine.now;
    shown = await read();

    await engine.hours(1);
    await engine.withdraw(paid, null);
    await campaigns.update(partner, campaign, { multiplierHundredths: 300 });
    await engine.context.get(PartnerService).update(partner, { revenueShareBps: 9_000 });
    engine.wait();
    await engine.deposit(await engine.createUser(partner), 300n * UNIT);
    await engine.hours(1);
    await engine.withdraw(kept, UNIT);
  });
  afterAll(() => engine.stop());

  it('A past moment of the open day is one at which some yield was posted, and some not yet', () => {
    const { accrued, pending } = shown['yield'].assets[0];
    expect([accrued > 0n, pending > 0n]).toEqual([true, true]);
  });

  it.each([...REPORTS, 'users', 'positions'])(
    'A past moment of the open day has the %s that were shown at it, whatever was booked, posted and changed since',
    async (name) => {
      expect((await read(then))[name]).toEqual(shown[name]);
    },
  );
});
