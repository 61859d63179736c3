import { withDomain } from '../../src/cli/context.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { ClosingService } from '../../src/domain/reporting/closing.service.js';
import { StatementReports, totalOf } from '../../src/domain/reporting/statement-report.service.js';
import { benchSettings, timed, withDatabase } from './deployment.js';
import { seed } from './seed.js';

const POSITIONS = 100_000;
/** A deposit, and an accrual on each of nine days. */
const ENTRIES_EACH = 10;
const DAYS = 20;

/** Statements of the last month, of one partner with 100,000 positions of 50,000 end-users: in all, and by end-user. */
await withDatabase(async (url) => {
  const settings = benchSettings(url);
  const today = new Date();
  const now = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1));
  const month = new Date(now.getTime() - 1).toISOString().slice(0, 7);
  await withDomain(settings, async () => undefined);
  const wanted = { positions: POSITIONS, entries: POSITIONS * ENTRIES_EACH, partners: 1, days: DAYS, now };
  await timed('seeded', () => seed(settings, wanted, (_, work) => work()));
  await withDomain(settings, async (context) => {
    const { items } = await context.get(PartnerService).list({ limit: 1, after: null });
    const partnerId = items[0]!.id;
    const reports = context.get(StatementReports);
    await timed('the day is closed', () => context.get(ClosingService).write(BASE_MARKET));
    const { result } = await timed(`the statement of ${month}`, () => reports.read(partnerId, month));
    const { closingValue } = totalOf(result.assets);
    if (!result.closed || closingValue === 0n) throw new Error(`${month} is not closed, or has no value.`);
    await timed('a page of 500 end-users', () =>
      reports.users(partnerId, month, { limit: 500, after: null }),
    );
    await timed('all end-users', async () => {
      for (let after: Parameters<typeof reports.users>[2]['after'] = null; ;) {
        const page = await reports.users(partnerId, month, { limit: 500, after });
        if (page.next === null) break;
        after = page.next;
      }
    });
  });
});
