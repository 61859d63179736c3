import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../bench/deployment.js';
import { until } from '../support/until.js';
import type { PartnerTraffic } from './partner.traffic.js';
import type { Server } from './server.js';
import { KEPT } from './stage.js';
import type { Traffic } from './traffic.js';
import type { Finding } from './verdict.js';

/**
 * Checks what is left after all work is done: tables that grow have exactly the rows that were requested, and tables that are pruned have exactly the
 * rows that are kept.
 */
export async function leftBehind(
  partner: Server,
  sandbox: Server,
  live: Traffic,
  simulated: Traffic,
  callers: { partner: PartnerTraffic },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const server of [partner, sandbox]) {
    const { contract: name, schema } = server;
    await until(
      async () => (await server.count(`deliveries WHERE status IN ('queued', 'pending')`)) === 0,
      60_000,
    );
    await until(async () => (await server.count('events WHERE NOT fanned_out')) === 0, 60_000);
    await sleep(11_000); // Waits until the last delivery may be pruned, and the last claim is a day old.
    await server.age();
    await server.run('sweep', 'prune');
    const [crowded] = await server.sql<{ most: number }>(
      'SELECT coalesce(max(count), 0)::int AS most FROM (SELECT count(*) FROM deliveries GROUP BY partner_id) AS of',
    );
    const { said, sound } = server.verifyLedger();
    say(`${name}: ${said}`);
    findings.push(
      { what: `${name}: deliveries of a partner`, value: crowded!.most, most: KEPT.deliveries },
      { what: `${name}: idempotency keys`, value: await server.count('idempotency_claims'), exactly: 0 },
      {
        what: `${name}: events that no delivery shows`,
        value: await server.count('events e WHERE NOT EXISTS (SELECT FROM deliveries WHERE event_id = e.id)'),
        exactly: 0,
      },
      {
        what: `${name}: jobs left`,
        value: await server.count(`${schema}_jobs.jobs WHERE run_at < now() - interval '5 seconds'`),
        exactly: 0,
      },
      { what: `${name}: differences of the ledger`, value: sound ? 0 : 1, exactly: 0 },
    );
  }
  for (const [name, table] of [
    ['deposit', 'deposit'],
    ['withdrawal', 'withdrawal'],
  ] as const)
    findings.push({
      what: `partner: ledger entries, ${name}`,
      value: await partner.count(`ledger_entries WHERE type = '${table}'`),
      exactly: live.of(name),
    });
  findings.push(
    { what: 'partner: positions', value: await partner.count('positions'), exactly: live.of('deposit') },
    {
      what: 'partner: decisions of deposits',
      value: await partner.count(`decisions WHERE kind = 'route'`),
      exactly: live.of('deposit'),
    },
    {
      what: 'partner: recorded transfers',
      value: await partner.count('settlements'),
      exactly: live.of('deposit') + live.of('withdrawal'),
    },
    { what: 'partner: endpoints', value: await partner.count('webhook_endpoints'), exactly: 9 },
    {
      what: 'partner: answers that differed from the first',
      value: callers.partner.differing.length,
      exactly: 0,
    },
    {
      what: 'sandbox: hours of an own market, rows of a vault',
      value: (
        await sandbox.sql<{ most: number }>(
          'SELECT max(count)::int AS most FROM (SELECT count(*) FROM snapshots GROUP BY market_id, vault_id) AS of',
        )
      )[0]!.most,
      most: KEPT.marketHours + 5,
    },
    {
      what: 'answers that were not expected',
      value: live.surprises.length + simulated.surprises.length,
      exactly: 0,
    },
  );
  return findings;
}
