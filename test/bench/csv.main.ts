import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Application } from '../../src/application.js';
import { UserService } from '../../src/domain/tenants/users/user.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { TransferService } from '../../src/domain/routing/transfers/transfer.service.js';
import { silentLogger } from '../../src/telemetry/logger.js';
import { benchSettings, say, timed, withDatabase } from './deployment.js';

/** Entries of one end-user. */
const ENTRIES = 1_000_000;
const ROUNDS = 3;
const MIB = 1024 * 1024;

/** A ledger of a million entries as CSV: how long it takes, and how much memory the process takes more while it is sent. */
await withDatabase(async (url) => {
  const settings = benchSettings(url, { PORT: '0', YIELDS: 'simulated', RATE_LIMIT_PER_MINUTE: '0' });
  const application = await Application.create(settings, silentLogger());
  await (
    await application.listen()
  ).ready;
  const { partner, apiKey } = await application.get(PartnerService).create({ name: 'Bench' });
  const user = await application.get(UserService).create(partner.id, { externalId: 'bench' });
  const txHash = `0x${randomBytes(32).toString('hex')}`;
  const deposit = { userId: user.id, asset: 'USDC', amount: 100_000_000n, txHash, partnerId: null };
  for (let tries = 0; ; tries++) {
    try {
      await application.get(TransferService).deposit(deposit);
      break;
    } catch (error) {
      if (tries === 60) throw error;
      await sleep(1_000);
    }
  }
  const client = new Client({ connectionString: url, options: `-c search_path=${settings.database.schema}` });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = 'ledger_entries'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) =>
    name === 'id' ? `'evt_' || lpad(n::text, 26, '0')` : name === 'tx_hash' ? 'NULL' : name,
  );
  await timed(`${ENTRIES} entries are written`, () =>
    client.query(
      `INSERT INTO ledger_entries (${names.join(', ')}) SELECT ${values.join(', ')}
         FROM (SELECT * FROM ledger_entries LIMIT 1) AS one, generate_series(1, ${ENTRIES - 1}) AS n`,
    ),
  );
  await client.query('VACUUM ANALYZE ledger_entries');
  await client.end();

  const path = `/api/v1/users/${user.id}/ledger`;
  const headers = { authorization: `Bearer ${apiKey.secret}` };
  // Warms up: what pages of JSON take is not counted.
  for (let count = 0; count < 100; count++)
    await (await fetch(`${application.url}${path}?limit=500`, { headers })).arrayBuffer();
  for (let round = 1; round <= ROUNDS; round++) {
    global.gc?.();
    const { rss: before, heapUsed } = process.memoryUsage();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
    // Read by a process of its own, so that the server's memory alone is measured.
    const { result } = await timed(`as CSV, ${round} of ${ROUNDS}`, () =>
      promisify(execFile)(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `const { body } = await fetch('${application.url}${path}', { headers: ${JSON.stringify({ ...headers, accept: 'text/csv' })} });
         let [bytes, lines] = [0, 0];
         for await (const part of body) {
           bytes += part.length;
           for (const byte of part) if (byte === 10) lines++;
         }
         console.log(JSON.stringify({ bytes, lines }));`,
        ],
        { timeout: 600_000 },
      ),
    );
    clearInterval(watch);
    const { bytes, lines } = JSON.parse(result.stdout) as { bytes: number; lines: number };
    say(`${(bytes / MIB).toFixed(1).padStart(8)} MiB, ${lines - 1} rows`);
    say(`${((most - before) / MIB).toFixed(1).padStart(8)} MiB more memory of the server`);
    global.gc?.();
    say(
      `${((process.memoryUsage().heapUsed - heapUsed) / MIB).toFixed(1).padStart(8)} MiB of them still in use`,
    );
  }
  await application.stop();
});
process.exit(0);
