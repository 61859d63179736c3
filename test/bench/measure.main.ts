import { Client } from 'pg';
import { withDomain } from '../../src/cli/context.js';
import { benchSettings, say, timed, withDatabase } from './deployment.js';
import { Measure } from './measure.js';
import { seed } from './seed.js';

/** What is measured where no seeded database is named. */
const OWN_SEED = { positions: 100_000, entries: 1_000_000, partners: 100, days: 120 };

await withDatabase(async (url) => {
  const settings = benchSettings(url);
  await withDomain(settings, async (context) => {
    const { schema } = settings.database;
    const client = new Client({ connectionString: url, options: `-c search_path=${schema}` });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT FROM positions LIMIT 1');
      if (rowCount === 0)
        await timed('seed', () => seed(settings, { ...OWN_SEED, now: new Date() }, (_, work) => work()));
      else say('The database is seeded already.');
      const measure = new Measure(context, client);
      await measure.size();
      await measure.verify();
      await measure.lists();
      await measure.deposits();
      await measure.day();
      await measure.verify();
    } finally {
      await client.end();
    }
  });
});
