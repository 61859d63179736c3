import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { createPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';
import { secondsOf } from './cpu.js';
import { say, withDatabase } from './deployment.js';

const ACCOUNTS = 10;
const MONTH_HOURS = 744;
const STARTS = 3;
const IDLE_MS = 10_000;

/** A process of `ROLE=all` of the sandbox: from its start to ready, and its resident memory, idle and after ten accounts advanced by a month. */
await import(new URL('../../scripts/build.mjs', import.meta.url).href);
await withDatabase(async (url) => {
  const adminKey = newKeySecret('sandbox');
  const env = {
    DATABASE_URL: url,
    BOOTSTRAP_ADMIN_KEY: adminKey,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  };
  // The first start migrates, and creates the market.
  await (await Replica.start('sandbox', env)).kill();
  for (let start = 1; start < STARTS; start++) {
    await (await started(env)).kill();
  }
  const replica = await started(env);
  try {
    await sleep(IDLE_MS);
    memory(replica, 'idle');
    const accounts = [];
    for (let made = 0; made < ACCOUNTS; made++) accounts.push(await createPartner(replica.api(adminKey)));
    for (const { api } of accounts) {
      const { status } = await api.post('/simulation/clock/advance', { hours: MONTH_HOURS });
      if (status >= 300) throw new Error(`An advance was answered ${status}.`);
    }
    memory(replica, `after ${ACCOUNTS} accounts advanced by ${MONTH_HOURS} hours`);
  } finally {
    await replica.kill();
  }
});

async function started(env: Record<string, string>): Promise<Replica> {
  const from = performance.now();
  const replica = await Replica.start('sandbox', env);
  const seconds = (performance.now() - from) / 1_000;
  say(
    `${seconds.toFixed(2).padStart(8)} s  from the start to ready; CPU ${secondsOf(replica.child.pid!).toFixed(2)} s`,
  );
  return replica;
}

function memory({ child }: Replica, when: string): void {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const mib = Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
  say(`${mib.toFixed(0).padStart(8)} MiB of resident memory, ${when}`);
}
