import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CampaignService } from '../../src/domain/tenants/partners/campaign.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import type { Engine } from '../support/engine.js';
import { statementsDuring } from '../support/statements.js';
import { startEngine } from './rows.js';

/** Terms are kept for ever, and transfers read all of them: their number must follow the number of changes, not the number of writes. */
describe('terms', () => {
  let engine: Engine;
  let partnerId: string;
  beforeAll(async () => {
    engine = await startEngine();
    partnerId = await engine.createPartner(4000);
  });
  afterAll(() => engine.stop());

  it('of a campaign get a row when one of them changed, and none when only its name did', async () => {
    const campaigns = engine.context.get(CampaignService);
    const { id, startsAt } = await campaigns.create(partnerId, { name: 'First', multiplierHundredths: 150 });
    const after = async (change: Parameters<CampaignService['update']>[2]): Promise<number> => {
      engine.wait(10);
      await campaigns.update(partnerId, id, change);
      return (await engine.sql('SELECT FROM campaign_terms WHERE campaign_id = $1', [id])).length;
    };
    expect(await after({ name: 'Second', metadata: { seen: 'yes' } })).toBe(1);
    expect(await after({ multiplierHundredths: 150, startsAt: new Date(startsAt), endsAt: null })).toBe(1);
    expect(await after({ multiplierHundredths: 200 })).toBe(2);
    expect(await after({ endsAt: new Date(startsAt.getTime() + 1) })).toBe(3);
    expect(await after({ endsAt: null })).toBe(4);
    expect(await after({ startsAt: new Date(startsAt.getTime() + 1) })).toBe(5);
    expect(await after({ status: 'disabled' })).toBe(6);
  });

  it('of a partner get a row when its share changed', async () => {
    const partners = engine.context.get(PartnerService);
    const after = async (change: Parameters<PartnerService['update']>[1]): Promise<number> => {
      engine.wait(10);
      await partners.update(partnerId, change);
      return (await engine.sql('SELECT FROM partner_terms WHERE partner_id = $1', [partnerId])).length;
    };
    expect(await after({ name: 'Another', revenueShareBps: 4000 })).toBe(1);
    expect(await after({ revenueShareBps: 3000 })).toBe(2);
  });

  it('of campaigns that have ended are not read by deposits', async () => {
    engine.sights = Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: 0.05 }]));
    await engine.hours(1);
    const user = await engine.createUser(partnerId);
    const campaigns = engine.context.get(CampaignService);
    const ended = { endsAt: new Date(engine.now.getTime() + 60_000) };
    for (let n = 0; n < 5; n++) await campaigns.create(partnerId, { name: `Ended ${n}`, ...ended });
    const { id } = await campaigns.create(partnerId, { name: 'Runs' });
    engine.wait(60_000);
    const sent = await statementsDuring(() => engine.deposit(user, 1_000_000n));
    const { text, values } = sent.find(({ name }) => name === 'transfers.find_depositor')!;
    const { campaigns: read } = await engine.row<{ campaigns: { id: string }[] }>(text, [...values]);
    expect(read.map((one) => one.id)).toEqual([id]);
  });
});
