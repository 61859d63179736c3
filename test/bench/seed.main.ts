import { parseArgs } from 'node:util';
import { withDomain } from '../../src/cli/context.js';
import { benchSettings, say, timed, withDatabase } from './deployment.js';
import { seed } from './seed.js';

const USAGE = `npm run bench:seed -- [--positions 1000000] [--entries 10000000] [--partners 1000] [--days 120]
Fills the database of DATABASE_URL, which must be empty.`;

const { values } = parseArgs({
  options: {
    positions: { type: 'string', default: '1000000' },
    entries: { type: 'string', default: '10000000' },
    partners: { type: 'string', default: '1000' },
    days: { type: 'string', default: '120' },
    help: { type: 'boolean', default: false },
  },
});

/** @throws RangeError */
function whole(name: 'positions' | 'entries' | 'partners' | 'days', max: number): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw new RangeError(`--${name} is a whole number from 1 to ${max}.`);
  return number;
}

if (values.help || !process.env['DATABASE_URL']) {
  say(USAGE);
  process.exitCode = values.help ? 0 : 1;
} else {
  const wanted = {
    positions: whole('positions', 10_000_000),
    entries: whole('entries', 100_000_000),
    partners: whole('partners', 100_000),
    days: whole('days', 730),
    now: new Date(),
  };
  await withDatabase(async (url) => {
    const settings = benchSettings(url);
    await timed('migrated', () => withDomain(settings, async () => undefined));
    await timed('in all', () => seed(settings, wanted, timed));
  });
}
