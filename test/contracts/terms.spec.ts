import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { TermsService } from '../../src/domain/tenants/partners/terms.service.js';
import type { Api } from '../support/api.js';
import { csvRows } from '../support/csv.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { anotherKey, createPartner, type TestPartner } from '../support/partner.js';

type Row = Record<string, string>;

const timeOf = (cell: string): bigint => BigInt(Date.parse(cell));
const micro = (cell: string): bigint => BigInt(cell.replace('.', ''));
const lastOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const firstOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Millionths of points by campaign, as docs/accounting.md makes them of a ledger and terms, both as CSV, oldest first; '': outside of any. */
function pointsOf(ledger: Row[], terms: Row[], perUsdDay: bigint, asOf: bigint): Map<string, bigint> {
  const byCampaign = Map.groupBy(
    terms.filter(({ kind }) => kind === 'campaign'),
    ({ campaign_id }) => campaign_id!,
  );
  /** Milliseconds of a span in which a campaign runs, times its multiplier in hundredths; and those milliseconds. */
  const running = (campaign: string, from: bigint, to: bigint): [bigint, bigint] =>
    byCampaign
      .get(campaign)!
      .filter(({ status }) => status === 'active')
      .reduce<[bigint, bigint]>(
        ([weighted, time], { from: began, until, points_multiplier, starts_at, ends_at }) => {
          const ends = [until!, ends_at!].filter((cell) => cell !== '').map(timeOf);
          const length = ends.reduce(firstOf, to) - [timeOf(began!), timeOf(starts_at!)].reduce(lastOf, from);
          return length <= 0n
            ? [weighted, time]
            : [weighted + length * (micro(points_multiplier!) / 10_000n), time + length];
        },
        [0n, 0n],
      );
  const joined = (asset: string, opened: bigint): string => {
    const offers = [...byCampaign.values()].flatMap((versions) => {
      const offer = versions.findLast(({ from }) => timeOf(from!) <= opened);
      const runs =
        offer?.status === 'active' &&
        ['', asset].includes(offer.asset!) &&
        timeOf(offer.starts_at!) <= opened &&
        (offer.ends_at === '' || timeOf(offer.ends_at!) > opened);
      return runs ? [offer] : [];
    });
    const [best] = offers.toSorted(
      (a, b) =>
        Number(b.points_multiplier) - Number(a.points_multiplier) ||
        Date.parse(a.starts_at!) - Date.parse(b.starts_at!) ||
        (a.campaign_id! < b.campaign_id! ? -1 : 1),
    );
    return best?.campaign_id ?? '';
  };
  const grains = new Map<string, bigint>([['', 0n]]);
  const add = (campaign: string, more: bigint): unknown =>
    grains.set(campaign, (grains.get(campaign) ?? 0n) + more);
  for (const entries of Map.groupBy(ledger, ({ position_id }) => position_id).values()) {
    const moves = entries.filter(({ type }) => type === 'deposit' || type === 'withdrawal');
    const campaign = joined(moves[0]!.asset!, timeOf(moves[0]!.at!));
    let principal = 0n;
    moves.forEach(({ type, amount, at }, index) => {
      principal += type === 'deposit' ? micro(amount!) : -micro(amount!);
      const [from, to] = [timeOf(at!), index + 1 < moves.length ? timeOf(moves[index + 1]!.at!) : asOf];
      const [weighted, time] = campaign === '' ? [0n, 0n] : running(campaign, from, to);
      const earning = principal > 0n ? principal * perUsdDay : 0n;
      if (campaign !== '') add(campaign, earning * weighted);
      add('', earning * 100n * (to - from - time));
    });
  }
  return new Map([...grains].map(([campaign, sum]) => [campaign, sum / 8_640_000_000n]));
}

describe('terms of a partner', () => {
  let market: TestMarket;
  let partner: TestPartner;
  let accountant: Api;

  const csv = async (path: string, api = accountant): Promise<Row[]> =>
    csvRows((await api.get(path, { accept: 'text/csv' })).text);
  const changed = async (path: string, change: object): Promise<any> => {
    market.pass(HOUR_MS);
    const { status, body } = await market.app.admin.patch(path, change);
    expect(status).toBe(200);
    return body.data;
  };
  const campaign = async (input: object): Promise<string> => {
    const { body } = await market.app.admin.post(`/partners/${partner.id}/campaigns`, input);
    return body.data.id;
  };

  beforeAll(async () => {
    market = await startMarket('partner');
    market.holdClock();
    ({ partner } = market);
    accountant = (await anotherKey(market.app.admin, partner)).api;
  }, 60_000);
  afterAll(() => market.close());

  it('Terms are listed with the times from which they held, as JSON and CSV, to the partner and to administrators', async () => {
    const path = `/partners/${partner.id}`;
    const first = (await market.app.admin.get(path)).body.data;
    const second = await changed(path, { performance_fee_bps: 1500 });
    const third = await changed(path, { revenue_share_bps: 5000 });
    await changed(path, { name: 'Renamed' });
    const { body } = await accountant.get('/partner/terms');
    expect(
      body.data.map((row: any) => [
        row.kind,
        row.from,
        row.until,
        row.performance_fee_bps,
        row.revenue_share_bps,
      ]),
    ).toEqual([
      ['fee', third.updated_at, null, 1500, 5000],
      ['fee', second.updated_at, third.updated_at, 1500, 4000],
      ['fee', first.created_at, second.updated_at, 1000, 4000],
    ]);
    expect((await market.app.admin.get(`${path}/terms`)).body.data).toEqual(body.data);
    expect((await market.app.admin.get('/partners/ptn_00000000000000000000000000/terms')).status).toBe(404);
    expect((await csv('/partner/terms')).map(({ from, until }) => [from, until])).toEqual(
      body.data.map(({ from, until }: any) => [from, until ?? '']),
    );
    expect((await accountant.get('/partner/terms?limit=2')).body.meta.has_more).toBe(true);
    const other = await createPartner(market.app.admin);
    expect((await other.api.get('/partner/terms')).body.data).toHaveLength(1);
    const known = await market.app.application
      .get(TermsService)
      .list(partner.id, { limit: 10, after: null }, new Date(third.updated_at));
    expect(known.items.map(({ untilAt }) => untilAt?.toISOString() ?? null)).toEqual([
      null,
      second.updated_at,
    ]);
  });

  it('A partner’s audit log has what administrators changed of its terms, and not who did it, nor notes', async () => {
    const path = `/partners/${partner.id}`;
    await changed(path, { performance_fee_bps: 1200, metadata: { note: 'Secret.' } });
    await changed(path, { metadata: { note: 'Another.' }, contact_email: 'a@b.example' });
    const id = await campaign({ name: 'Winter', points_multiplier: 2, metadata: { note: 'Secret.' } });
    await changed(`${path}/campaigns/${id}`, { points_multiplier: 3 });
    await changed(`${path}/campaigns/${id}`, { metadata: { note: 'Secret.' } });
    const bounds = { allowed_vaults: null, max_risk_tier: 'low', min_gain: null, paused: false };
    expect((await market.app.admin.put(`${path}/policy`, bounds)).status).toBe(200);
    const other = await createPartner(market.app.admin);
    await changed(`/partners/${other.id}`, { performance_fee_bps: 1 });
    const { body } = await accountant.get('/partner/audit?limit=500');
    const ofAdministrators = body.data.filter(({ actor }: any) => actor.partner_id === null);
    const shown = ofAdministrators.map(({ operation, before, after }: any) => [operation, before, after]);
    expect(shown.slice(0, 4)).toEqual([
      [
        'boundPartnerPolicy',
        null,
        { [partner.id]: { version: 1, bounds: expect.objectContaining({ maximumRiskTier: 'low' }) } },
      ],
      ['updateCampaign', { [id]: { multiplier_hundredths: 200 } }, { [id]: { multiplier_hundredths: 300 } }],
      [
        'createCampaign',
        null,
        { [id]: expect.objectContaining({ name: 'Winter', multiplier_hundredths: 200 }) },
      ],
      [
        'updatePartner',
        { [partner.id]: { performance_fee_bps: 1500 } },
        { [partner.id]: { performance_fee_bps: 1200 } },
      ],
    ]);
    for (const { actor, address, hash, number } of ofAdministrators)
      expect([actor, address, hash, number]).toEqual([
        { kind: 'key', key_id: null, session_id: null, label: null, user: null, partner_id: null },
        ...[null, null, null],
      ]);
    expect(JSON.stringify(body.data)).not.toMatch(/Secret|Another|contact_email|performance_fee_bps":1[,}]/);
    const one = await accountant.get('/partner/audit?limit=1');
    expect(one.body.meta.has_more).toBe(true);
    const filtered = await accountant.get('/partner/audit?operation=updateCampaign');
    expect(filtered.body.data).toHaveLength(1);
    const times = body.data.map(({ at }: any) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('Points can be recomputed from the ledger and the terms alone, over changes of campaigns, to the millionth and beyond 2^33', async () => {
    partner = await createPartner(market.app.admin);
    const path = `/partners/${partner.id}/campaigns`;
    const user = await market.createUser(partner);
    const days = (count: number): void => market.pass(count * 24 * HOUR_MS + 12_345);
    const [asset, other] = market.app.settings.constants.assets;
    const ends = new Date(market.now().getTime() + 20 * 24 * HOUR_MS).toISOString();
    const all = await campaign({ name: 'All', points_multiplier: 1.25, ends_at: ends });
    const of = await campaign({ name: 'Of an asset', points_multiplier: 1.5, asset });
    const first = await market.deposit(user, 999_999_999.999999, asset);
    await market.deposit(user, 1_000.000001, other);
    days(3);
    await changed(`${path}/${of}`, { points_multiplier: 7.77, name: 'Renamed' });
    await market.withdraw(first.id, 333_333.333333);
    days(2);
    await changed(`${path}/${of}`, { asset: other });
    await market.deposit(user, 555.555555, asset);
    const moved = await market.deposit(user, 77.77, other);
    days(1);
    await changed(`${path}/${of}`, { status: 'disabled' });
    await changed(`${path}/${all}`, { points_multiplier: 3.33 });
    await market.withdraw(moved.id, null);
    days(1);
    await changed(`${path}/${of}`, {
      status: 'active',
      ends_at: new Date(market.now().getTime() + 1).toISOString(),
    });
    days(30);

    const [ledger, terms] = [
      (await csv('/partner/ledger', partner.api)).toReversed(),
      (await csv('/partner/terms', partner.api)).toReversed(),
    ];
    const report = (await partner.api.get('/partner/points')).body.data;
    const points = pointsOf(ledger, terms, BigInt(report.per_usd_day), timeOf(report.as_of));
    const exact = ({ points, points_exact }: any): bigint => micro(points_exact ?? points.toFixed(6));
    const shown = report.campaigns.map((row: any) => [row.campaign_id ?? '', exact(row)]);
    expect(new Map(shown)).toEqual(points);
    expect(points.get(of)).toBeGreaterThan(points.get(all)!);
    expect(report.campaigns.find(({ campaign_id }: any) => campaign_id === of)).toHaveProperty(
      'points_exact',
    );
    expect(report).toHaveProperty('total_exact');
    expect((await partner.api.get('/partner/summary')).body.data.points_exact).toBe(report.total_exact);
    const lines = await csv('/partner/points', partner.api);
    expect(lines.map((row) => [row['campaign_id'], micro(row['points']!)])).toEqual(shown);
  });
});
