import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { withDomain } from '../../src/cli/context.js';
import type { Settings } from '../../src/config/settings.js';
import { benchSettings, say, timed, withDatabase } from './deployment.js';
import { Measure } from './measure.js';
import { type Seed, seed } from './seed.js';

/** The size of the database that is measured where none is named, which reports are compared with. */
const OWN_SEED = { positions: 100_000, entries: 1_000_000, partners: 100, days: 120 };
const SMALL_SEED = { positions: 1_000, entries: 10_000, partners: 100, days: 120 };
const SMALL_DATABASE = 'vaultline_bench_small';

await withDatabase(async (url) => {
  await measured(url, OWN_SEED, async (measure) => {
    await measure.size();
    await measure.verify(true);
    await measure.lists();
  });
  await onSmallDatabase(url, async (smallUrl) => {
    const grow = async (figures: (measure: Measure, what: string) => Promise<Map<string, number>>) => {
      const large = await measured(url, OWN_SEED, (measure) => figures(measure, 'large database'));
      const small = await measured(smallUrl, SMALL_SEED, (measure) =>
        figures(measure, `${SMALL_SEED.positions} positions`),
      );
      for (const [name, median] of large)
        say(
          `${(median / small.get(name)!).toFixed(2).padStart(10)} times as long takes ${name} on the large one`,
        );
    };
    await grow((measure, what) => measure.ticks(what));
    // The first pass compiles the code of reports, at the cost of whichever database comes first.
    for (const _pass of [1, 2]) await grow((measure, what) => measure.reports(what));
  });
  await measured(url, OWN_SEED, async (measure) => {
    await measure.deposits();
    await measure.day();
    await measure.verify(false);
    await measure.verify(true);
  });
});

/** Runs on a deployment, which is first seeded if it is empty. */
async function measured<T>(
  url: string,
  size: Omit<Seed, 'now'>,
  work: (measure: Measure) => Promise<T>,
): Promise<T> {
  const settings = benchSettings(url);
  return withDomain(settings, async (context: INestApplicationContext) => {
    const client = new Client({
      connectionString: url,
      options: `-c search_path=${settings.database.schema}`,
    });
    await client.connect();
    try {
      await seedOnce(settings, client, size);
      return await work(new Measure(context, client));
    } finally {
      await client.end();
    }
  });
}

async function seedOnce(settings: Settings, client: Client, size: Omit<Seed, 'now'>): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM positions LIMIT 1');
  if (rowCount === 0)
    await timed(`seed of ${size.positions} positions`, () =>
      seed(settings, { ...size, now: new Date() }, (_, work) => work()),
    );
}

/** Runs the work on a second, temporary database beside the given one. */
async function onSmallDatabase<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = new Client({ connectionString: url });
  await server.connect();
  try {
    await server.query(`DROP DATABASE IF EXISTS ${SMALL_DATABASE} WITH (FORCE)`);
    await server.query(`CREATE DATABASE ${SMALL_DATABASE}`);
    const small = new URL(url);
    small.pathname = `/${SMALL_DATABASE}`;
    return await work(small.href);
  } finally {
    await server.query(`DROP DATABASE IF EXISTS ${SMALL_DATABASE} WITH (FORCE)`);
    await server.end();
  }
}
