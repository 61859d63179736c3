import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Client } from 'pg';
import { Clock } from '../../src/domain/kernel/clock.js';
import { BASE_MARKET, MarketService } from '../../src/domain/markets/hours/market.service.js';
import { LedgerChecks } from '../../src/domain/books/ledger/ledger-checks.service.js';
import type { Difference } from '../../src/domain/books/ledger/ledger-verifier.js';
import { LedgerService } from '../../src/domain/books/ledger/ledger.service.js';
import { PositionService } from '../../src/domain/books/positions/position.service.js';
import { PositionStore } from '../../src/domain/books/positions/position.store.js';
import { StatementService } from '../../src/domain/books/positions/statement.service.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { UpliftService } from '../../src/domain/reporting/uplift.service.js';
import { RoutingService } from '../../src/domain/routing/allocation/routing.service.js';
import type { Page, PageKey as PagePosition } from '../../src/domain/kernel/store/page.js';
import { TransferService } from '../../src/domain/routing/transfers/transfer.service.js';
import { HOUR_MS } from '../../src/domain/kernel/catalogue/hour.js';
import { cpuOf } from './cpu.js';
import { say, timed } from './deployment.js';

const DAY_MS = 24 * HOUR_MS;
const PAGE = 50;
const LISTS = 200;
const TICKS = 48;
const WRITERS = 16;
const DEPOSITS_EACH = 100;

/** Times of what a seeded deployment does. Each figure is a line: a name, and the time of one run or of one among many. */
export class Measure {
  constructor(
    private readonly context: INestApplicationContext,
    /** A client whose search path is the deployment's schema. */
    private readonly client: Client,
  ) {}

  async size(): Promise<void> {
    const rows = await this.rows<{ name: string; rows: string; bytes: string }>(
      `SELECT 'positions' AS name, (SELECT count(*) FROM positions) AS rows, pg_total_relation_size('positions') AS bytes
       UNION ALL
       SELECT 'ledger_entries', (SELECT count(*) FROM ledger_entries),
              (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('ledger_entries'))
       UNION ALL
       SELECT 'book_shares', (SELECT count(*) FROM book_shares), pg_total_relation_size('book_shares')`,
    );
    for (const { name, rows: count, bytes } of rows)
      say(`${count} rows of ${name}: ${(Number(bytes) / 2 ** 20).toFixed(0)} MiB with indexes`);
  }

  /** @param isFull from the first entry on; else from the last checkpoint, if there is one */
  async verify(isFull: boolean): Promise<void> {
    const lines: string[] = [];
    const report = ({ subject, problem }: Difference): void =>
      void (lines.length < 20 && lines.push(`${subject}: ${problem}`));
    const { result, seconds } = await timed(isFull ? 'ledger verify --full' : 'ledger verify', () =>
      cpuOf(this.client, () => this.context.get(LedgerChecks).run(isFull, report)),
    );
    lines.forEach(say);
    const { entries, differences } = result.result;
    perUnit('an entry', seconds, entries);
    perUnit('of CPU of the process', result.cpu.process, entries);
    perUnit('of CPU of the database', result.cpu.database, entries);
    if (differences > 0) throw new Error(`${differences} differences.`);
  }

  /** First pages for many partners, and all pages of one partner's list. */
  async lists(): Promise<void> {
    const positions = this.context.get(PositionService);
    const ledger = this.context.get(LedgerService);
    const users = await this.rows<{ id: string; partnerId: string }>(
      `SELECT id, partner_id AS "partnerId" FROM users ORDER BY hashtext(id) LIMIT ${LISTS}`,
    );
    const first = { limit: PAGE, after: null };
    await latencies('positions of a user, first page', users, ({ id, partnerId }) =>
      positions.list({ partnerId, userId: id }, first),
    );
    await latencies('positions of a partner, first page', users, ({ partnerId }) =>
      positions.list({ partnerId }, first),
    );
    await latencies('ledger of a user, first page', users, ({ id, partnerId }) =>
      ledger.list(partnerId, { userId: id }, first),
    );
    const walk = async (what: string, page: (after: PagePosition | null) => Promise<Page<unknown>>) => {
      let after: PagePosition | null = null;
      await latencies(`${what}, page after page`, users, async () => {
        after = (await page(after)).next;
      });
    };
    await walk('positions of all', (after) => positions.list({ partnerId: null }, { limit: PAGE, after }));
    await walk('positions of one partner', (after) =>
      positions.list({ partnerId: users[0]!.partnerId }, { limit: PAGE, after }),
    );
  }

  /** Each of a partner's reports, over many partners. @returns median milliseconds by report */
  async reports(what: string): Promise<Map<string, number>> {
    const reports = this.context.get(ReportService);
    const uplift = this.context.get(UpliftService);
    const partners = (
      await this.rows<{ id: string }>(`SELECT id FROM partners ORDER BY id LIMIT ${LISTS / 2}`)
    ).map(({ id }) => id);
    const all: Record<string, (partnerId: string) => Promise<unknown>> = {
      summary: (id) => reports.summary(id),
      deposits: (id) => reports.deposits(id),
      tvl: (id) => reports.tvl(id),
      yield: (id) => reports.yield(id),
      points: (id) => reports.points(id),
      revenue: (id) => reports.revenue(id),
      uplift: (id) => uplift.read(id, {}),
    };
    const medians = new Map<string, number>();
    for (const [name, read] of Object.entries(all))
      medians.set(name, await latencies(`${name} of a partner, ${what}`, partners, read));
    return medians;
  }

  /** Ticks of the next hours, one after another. @returns median milliseconds of an hour */
  async ticks(what: string): Promise<Map<string, number>> {
    const market = this.context.get(MarketService);
    const clock = this.context.get(Clock);
    const hours = Array.from({ length: TICKS }, (_, hour) => clock.now().getTime() + (hour + 1) * HOUR_MS);
    const median = await latencies(`a tick, ${what}`, hours, async (at) => {
      clock.now = () => new Date(at);
      await market.tick();
    });
    return new Map([['a tick', median]]);
  }

  /** Concurrent deposits of one partner, with the rows of its books split into slots, and with all in one row for comparison (the hot row). */
  async deposits(): Promise<void> {
    const store = this.context.get(PositionStore);
    const save = store.save.bind(store);
    await this.write('warm-up');
    const split = await this.write('books in slots');
    store.save = (changes, revenue, at) =>
      save(
        changes.map((change) => ({ ...change, after: { ...change.after, slot: 0 } })),
        revenue,
        at,
      );
    const single = await this.write('books in one slot');
    store.save = save;
    say(`${''.padStart(10)}  slots bring ${(split / single).toFixed(2)} times as many deposits`);
  }

  /** The hours up to the end of the day, the routing judgement of an hour, and the daily statement. */
  async day(): Promise<void> {
    const market = this.context.get(MarketService);
    const clock = this.context.get(Clock);
    const end = new Date((Math.floor(clock.now().getTime() / DAY_MS) + 1) * DAY_MS);
    clock.now = () => new Date(end.getTime() + 60_000);
    const { result, seconds } = await timed('tick up to the end of the day', () => market.tick());
    perUnit('an hour', seconds, result.hours);
    const [groups] = await this.rows<{ count: number }>(
      `SELECT count(*)::int FROM (SELECT DISTINCT partner_id, asset, vault_id FROM book_shares WHERE book = 'routed' AND positions > 0) AS held`,
    );
    const judged = await timed('judgement of an hour', () =>
      this.context.get(RoutingService).judge(market.present(BASE_MARKET)),
    );
    perUnit(
      `of ${groups!.count} holdings, ${judged.result.moves} moves decided`,
      judged.seconds,
      groups!.count,
    );
    const posted = await timed('statement of a day', () =>
      this.context.get(StatementService).postDue(BASE_MARKET),
    );
    perUnit(`of ${posted.result} entries`, posted.seconds, posted.result);
  }

  /** @returns deposits a second */
  private async write(what: string): Promise<number> {
    const transfers = this.context.get(TransferService);
    const users = await this.rows<{ id: string }>(
      `SELECT id FROM users WHERE partner_id = (SELECT min(id) FROM partners) ORDER BY id LIMIT ${WRITERS}`,
    );
    const { seconds } = await timed(`${WRITERS} writers of one partner, ${what}`, () =>
      Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          const { id: userId } = users[writer % users.length]!;
          for (let count = 0; count < DEPOSITS_EACH; count++) {
            const txHash = `0x${randomBytes(32).toString('hex')}`;
            await transfers.deposit({ userId, asset: 'USDC', amount: 100_000_000n, txHash, partnerId: null });
          }
        }),
      ),
    );
    const deposits = WRITERS * DEPOSITS_EACH;
    say(`${''.padStart(10)}  ${(deposits / seconds).toFixed(0)} deposits a second`);
    return deposits / seconds;
  }

  private async rows<Row>(text: string): Promise<Row[]> {
    return (await this.client.query(text)).rows as Row[];
  }
}

function perUnit(what: string, seconds: number, count: number): void {
  if (count > 0) say(`${((seconds / count) * 1e6).toFixed(1).padStart(8)} µs  ${what}`);
}

async function latencies<T>(
  what: string,
  cases: readonly T[],
  work: (one: T) => Promise<unknown>,
): Promise<number> {
  const took: number[] = [];
  for (const one of cases) {
    const from = performance.now();
    await work(one);
    took.push(performance.now() - from);
  }
  took.sort((a, b) => a - b);
  const at = (share: number): string => took[Math.floor((took.length - 1) * share)]!.toFixed(2);
  say(`${at(0.5).padStart(7)} ms  ${what}: median; 95 %: ${at(0.95)} ms, slowest ${at(1)} ms`);
  return Number(at(0.5));
}
