import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LedgerVerifier, REPORTED } from '../../src/domain/books/ledger/ledger-verifier.js';
import { seed } from '../bench/seed.js';
import { Engine } from '../support/engine.js';

jest.setTimeout(1_200_000);

/** LEDGER_ENTRIES: how many. */
const ENTRIES = Number(process.env['LEDGER_ENTRIES'] ?? 1_000_000);
const POSITIONS = ENTRIES / 100;
/** False entries of one position. */
const FALSE_ENTRIES = ENTRIES / 10;
const MEGABYTE = 2 ** 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A verification of a ledger in which nearly everything is wrong. */
describe(`the verification of ${ENTRIES} entries`, () => {
  let engine: Engine;
  let clean: number;

  /** @returns what was reported and counted, and the largest live heap meanwhile */
  const run = async () => {
    const lines: string[] = [];
    let peak = 0;
    const timer = setInterval(() => {
      collect();
      peak = Math.max(peak, process.memoryUsage().heapUsed);
    }, 250);
    const verifier = engine.context.get(LedgerVerifier);
    const { differences, entries } = await verifier.run(({ subject, problem }) =>
      lines.push(`${subject}: ${problem}`),
    );
    clearInterval(timer);
    return { lines, differences, entries, megabytes: Math.round(peak / MEGABYTE) };
  };
  const tamper = (sql: string) =>
    engine.sql(`SET session_replication_role = replica; ${sql}; SET session_replication_role = origin`);

  beforeAll(async () => {
    engine = await Engine.start('partner');
    const size = { positions: POSITIONS, entries: ENTRIES, partners: 10, days: 120 };
    await seed(engine.settings, { ...size, now: new Date() }, (_, work) => work());
    const { megabytes, ...result } = await run();
    expect(result).toEqual({ lines: [], differences: 0, entries: ENTRIES });
    clean = megabytes;
  });
  afterAll(() => engine.stop());

  it(`The verification of ${ENTRIES} entries counts a difference of each entry, reports the first hundred, and holds no more than without any`, async () => {
    await tamper(`UPDATE ledger_entries SET recorded_at = recorded_at + interval '1 hour'`);
    const { lines, differences, megabytes } = await run();
    expect([differences, lines.length]).toEqual([ENTRIES, REPORTED]);
    for (const line of lines) expect(line).toMatch(/^pos_\w+: entry evt_\w+ was booked at a different time/);
    expect(megabytes).toBeLessThan(clean * 1.25);
    await tamper(`UPDATE ledger_entries SET recorded_at = recorded_at - interval '1 hour'`);
  });

  it(`The verification of ${ENTRIES} entries holds no more for a position with a tenth as many false entries, of a decision each`, async () => {
    await tamper(
      `INSERT INTO ledger_entries SELECT (jsonb_populate_record(e, jsonb_build_object('id', booked_id('evt_0000000000' || lpad(n::text, 16, '0'), e.recorded_at),
         'decision_id', 'dec_' || n, 'revenue_place', 1000000 + n))).*
         FROM ledger_entries e, generate_series(1, ${FALSE_ENTRIES}) AS n WHERE e.id = (SELECT max(id) FROM ledger_entries WHERE type = 'yield_accrual')`,
    );
    const { lines, differences, megabytes } = await run();
    expect(lines).toHaveLength(REPORTED);
    // Each is by no decision, moved nothing, and is settled out of order, among others.
    expect(differences).toBeGreaterThan(2 * FALSE_ENTRIES);
    expect(megabytes).toBeLessThan(clean * 1.25);
  });
});
