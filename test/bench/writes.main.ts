import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Client, Pool } from 'pg';
import { withDomain } from '../../src/cli/context.js';
import { Clock, HOUR_MS } from '../../src/domain/kernel/clock.js';
import { newId } from '../../src/domain/kernel/identifier.js';
import { AuditChain } from '../../src/domain/tenants/audit/audit-chain.js';
import { type Act, AuditLog } from '../../src/domain/tenants/audit/audit-log.js';
import { BASE_MARKET, MarketService } from '../../src/domain/markets/hours/market.service.js';
import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';
import { DailyAccrualService } from '../../src/domain/books/positions/daily-accrual.service.js';
import { DepositService } from '../../src/domain/routing/transfers/deposit.service.js';
import { type Cpu, cpuOf } from './cpu.js';
import { benchSettings, say, withDatabase } from './deployment.js';
import { seed } from './seed.js';

const SIZE = { positions: 100_000, entries: 200_000, partners: 100, days: 30 };
const WRITERS = 16;
const DEPOSITS_EACH = 40;
const ROUNDS = 3;
const DAY_MS = 24 * HOUR_MS;
/** A deposit by a key, as a request records it. */
const ACT: Act = {
  actor: { kind: 'key', keyId: 'key_bench', label: 'bench', partnerId: null },
  address: '192.0.2.1',
  operation: 'createPosition',
  requestId: 'req_bench',
  subjects: [],
  input: { user_id: 'usr_bench', asset: 'USDC', amount: 100, tx_hash: `0x${'5f'.repeat(32)}` },
};

/** The statement of a day, the verifier, and deposits against bare transactions that write the same rows, in turns. */
class Writes {
  private readonly bare: Pool;

  constructor(
    private readonly context: INestApplicationContext,
    url: string,
    schema: string,
  ) {
    this.bare = new Pool({
      connectionString: url,
      options: `-c search_path=${schema} -c timezone=UTC`,
      max: WRITERS,
    });
  }

  async deposits(): Promise<void> {
    const userIds = (
      await this.rows<{ id: string }>(
        `SELECT id FROM users WHERE partner_id = (SELECT min(partner_id) FROM users) ORDER BY id LIMIT ${WRITERS}`,
      )
    ).map(({ id }) => id);
    const deposits = this.context.get(DepositService);
    const audit = this.context.get(AuditLog);
    // As a running deployment does, beside both sides.
    const chain = setInterval(() => void this.context.get(AuditChain).extend(), 1_000);
    const deposit = async (writer: number): Promise<string> => {
      const userId = userIds[writer % userIds.length]!;
      const txHash = `0x${randomBytes(32).toString('hex')}`;
      const { id } = await audit.record(ACT, () =>
        deposits.deposit({ userId, asset: 'USDC', amount: 100_000_000n, txHash, partnerId: null }),
      );
      return id;
    };
    const source = await deposit(0);
    say(`${(await this.roundTrips(() => deposit(0))).toString().padStart(8)} round trips a deposit`);
    const copy = await this.copyOf(source);
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const before = await this.logged();
      const took = [await atOnce(deposit), await atOnce(copy)] as const;
      // The first round warms both sides up and is not counted.
      if (round === 0) continue;
      ours.push(took[0]);
      bare.push(took[1]);
      if (round === ROUNDS)
        say(
          `${(((await this.logged()) - before) / 2 / WRITERS / DEPOSITS_EACH / 1024).toFixed(1).padStart(8)} KiB of the log a deposit`,
        );
    }
    clearInterval(chain);
    await this.context.get(AuditChain).extend();
    ratio(`deposits of ${WRITERS} writers`, ours, bare, WRITERS * DEPOSITS_EACH);
  }

  /** The statement of a day. */
  async day(): Promise<void> {
    const clock = this.context.get(Clock);
    const end = new Date((Math.floor(clock.now().getTime() / DAY_MS) + 1) * DAY_MS);
    const asking = await this.bare.connect();
    for (let round = 0; round < ROUNDS; round++) {
      const dayEnd = new Date(end.getTime() + round * DAY_MS);
      clock.now = () => new Date(dayEnd.getTime() + 60_000);
      await this.context.get(MarketService).tick();
      const from = performance.now();
      const { result: entries, cpu } = await cpuOf(asking, () =>
        this.context.get(DailyAccrualService).postDue(BASE_MARKET),
      );
      sayEach('the statement of a day', from, entries, cpu);
    }
    asking.release();
  }

  /** The verifier, from the first entry on. */
  async verify(): Promise<void> {
    const asking = await this.bare.connect();
    const from = performance.now();
    const { result, cpu } = await cpuOf(asking, () =>
      this.context.get(LedgerVerifier).run(({ subject, problem }) => say(`${subject}: ${problem}`)),
    );
    if (result.differences > 0) throw new Error(`${result.differences} differences.`);
    sayEach('verify', from, result.entries, cpu);
    asking.release();
  }

  close(): Promise<void> {
    return this.bare.end();
  }

  /** A bare transaction that writes the rows of a deposit again under other ids, and adds to the same sums. */
  private async copyOf(positionId: string): Promise<() => Promise<void>> {
    const [source] = await this.rows<{ partnerId: string; slot: number; vaultId: string }>(
      `SELECT partner_id AS "partnerId", slot, vault_id AS "vaultId" FROM positions WHERE id = $1`,
      [positionId],
    );
    const events = await this.rows<{ id: string }>(
      `SELECT id FROM events WHERE envelope->'data'->>'id' = $1`,
      [positionId],
    );
    const again = async (table: string, where: string, replaced: Record<string, string>): Promise<string> => {
      const columns = await this.rows<{ name: string }>(
        `SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
        [table],
      );
      const names = columns.map(({ name }) => name);
      const values = names.map((name) => replaced[name] ?? name);
      return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${table} WHERE ${where}`;
    };
    const { partnerId, vaultId } = source!;
    const books = `partner_id = '${partnerId}' AND asset = 'USDC' AND slot = $6::int`;
    const parts = [
      await again('positions', 'id = $1', { id: '$2' }),
      await again('ledger_entries', 'position_id = $1', { id: '$3', position_id: '$2', tx_hash: '$4' }),
      await again('settlements', 'position_id = $1', { id: '$5', position_id: '$2', tx_hash: '$4' }),
      await again('decisions', 'position_id = $1', { id: `'dec' || substr($3, 4)`, position_id: '$2' }),
      await again('events', `id = ANY('{${events.map(({ id }) => id).join(',')}}')`, {
        id: `'evt' || substr($3, 4, 20) || substr(md5(random()::text), 1, 7)`,
        fanned_out: 'true',
      }),
      await again('audit_entries', 'subjects @> ARRAY[$1]', {
        id: `'aud' || substr($3, 4)`,
        subjects: 'ARRAY[$2]',
      }),
      `INSERT INTO audit_queue VALUES ('aud' || substr($3, 4))`,
      `UPDATE book_shares SET shares = shares + 1, positions = positions + 1 WHERE ${books} AND vault_id = '${vaultId}'`,
      `UPDATE book_totals SET deposited = deposited + 1, deposits = deposits + 1, opened = opened + 1 WHERE ${books}`,
      `UPDATE book_points SET principal = principal + 1 WHERE ${books}`,
      `UPDATE vault_shares SET shares = shares + 1 WHERE vault_id = '${vaultId}' AND slot = $6::int`,
    ];
    const text = `WITH ${parts.map((part, at) => `part${at} AS (${part})`).join(', ')} SELECT enqueue('[{"identifier": "bench", "payload": {}}]')`;
    return async () => {
      const session = await this.bare.connect();
      const now = new Date();
      const values = [
        positionId,
        newId('position', now),
        newId('event', now),
        `0x${randomBytes(32).toString('hex')}`,
        newId('settlement', now),
        Math.floor(Math.random() * 16),
      ];
      await session.query('START TRANSACTION');
      await session.query({ name: 'copy', text, values });
      await session.query('COMMIT');
      session.release();
    };
  }

  /** The number of round trips of the work: a statement that is sent while others are unanswered shares their round trip (pipelining). */
  private async roundTrips(work: () => Promise<unknown>): Promise<number> {
    const client = Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
    const { query } = client;
    let [open, trips] = [0, 0];
    client.query = function (...given) {
      if (open++ === 0) trips++;
      const answer = query.apply(this, given);
      void Promise.resolve(answer).finally(() => open--);
      return answer;
    };
    await work();
    client.query = query;
    return trips;
  }

  private async logged(): Promise<number> {
    const [row] = await this.rows<{ bytes: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes`,
    );
    return Number(row!.bytes);
  }

  private async rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.bare.query(text, values)).rows as Row[];
  }
}

/** @param from when the work began, by `performance.now()` */
function sayEach(what: string, from: number, entries: number, cpu: Cpu): void {
  const each = (seconds: number): string => ((seconds / entries) * 1e6).toFixed(1);
  const wall = (performance.now() - from) / 1_000;
  say(
    `${each(wall).padStart(8)} µs an entry, CPU: process ${each(cpu.process)}, database ${each(cpu.database)}: ${what}, ${wall.toFixed(1)} s for ${entries} entries`,
  );
}

/** @returns seconds */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1_000;
}

const atOnce = (work: (writer: number) => Promise<unknown>): Promise<number> =>
  seconds(() =>
    Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let count = 0; count < DEPOSITS_EACH; count++) await work(writer);
      }),
    ),
  );

function ratio(what: string, ours: readonly number[], bare: readonly number[], count: number): void {
  const median = (all: readonly number[]): number =>
    all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
  const micro = (all: readonly number[]): string => ((median(all) / count) * 1e6).toFixed(1).padStart(8);
  say(
    `${micro(ours)} µs each, bare ${micro(bare).trim()} µs: ${what} at ${(median(bare) / median(ours)).toFixed(2)} of the bare rate`,
  );
}

await withDatabase(async (url) => {
  const settings = benchSettings(url);
  await withDomain(settings, async (context) => {
    await seed(settings, { ...SIZE, now: new Date() }, (_, work) => work());
    const writes = new Writes(context, url, settings.databaseSchema);
    try {
      await writes.day();
      await writes.verify();
      // Last: the bare copies of a deposit are in no books that the verifier would accept.
      await writes.deposits();
    } finally {
      await writes.close();
    }
  });
});
