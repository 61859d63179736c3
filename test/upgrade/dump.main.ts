import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';
import { CampaignService } from '../../src/domain/tenants/partners/campaign.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { EndpointService } from '../../src/domain/outbound/webhooks/endpoint.service.js';
import { Engine, newTxHash, type Sights } from '../support/engine.js';
import { change } from '../support/change.js';

const UNIT = 1_000_000n;
const [BEST, BETTER] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc'] as const;
/** Few, so that the dump stays small. */
const VAULTS: readonly string[] = [BEST, BETTER];
/** Comments, and lines for the command's own terminal. */
const NOISE = /^(\\|--)/;

/**
 * Writes the dump of a release that `upgrade.spec.ts` restores: every kind of ledger entry in a live deployment.
 * `DATABASE_URL=postgres://... node --import ./test/runner/typescript.mjs test/upgrade/dump.main.ts test/upgrade/1.0.0.sql`, on an empty database of a
 * server that the system's `pg_dump` speaks to.
 */
const [path] = process.argv.slice(2);
const { DATABASE_URL: url } = process.env;
if (!path || !url) throw new Error('Name a file, and an empty database in DATABASE_URL.');

await live(url);
const dump = execFileSync(
  'pg_dump',
  ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=500', '--schema=live*', url],
  { encoding: 'utf8', timeout: 60_000 },
);
writeFileSync(
  path,
  dump
    .split('\n')
    .filter((line) => !NOISE.test(line))
    .join('\n'),
);

async function live(databaseUrl: string): Promise<void> {
  const nothing = async (): Promise<never> => Promise.reject(new Error('Nobody asks.'));
  const engine = await Engine.start('partner', {
    database: { url: databaseUrl, query: nothing, drop: nothing },
    adjust: ({ signals }) => void (signals.minSnapshots = 3),
    change: (settings) =>
      void change(settings, {
        vaults: settings.vaults.filter((vault) => VAULTS.includes(vault.id) || isIdle(vault)),
      }),
  });
  const { context } = engine;
  const sights = (yields: Record<string, number>): Sights =>
    Object.fromEntries(VAULTS.map((id) => [id, { apy: yields[id] ?? 0.03 }]));
  engine.sights = sights({ [BEST]: 0.06 });
  await engine.hours(6);
  const [first, second] = [await engine.createPartner(), await engine.createPartner(2_500)];
  await context.get(CampaignService).create(first, { name: 'Spring', multiplierHundredths: 150 });
  await context
    .get(EndpointService)
    .register(first, { url: 'https://hooks.acme.example/vaultline', active: false });
  engine.wait();
  const [user, other] = [await engine.createUser(first), await engine.createUser(second)];
  const moved = (await engine.deposit(user, 50_000n * UNIT, 'USDC', newTxHash())).id;
  const closed = (await engine.deposit(user, 300n * UNIT, 'USDC', newTxHash())).id;
  await engine.deposit(other, 123_456_789n, 'USDC', newTxHash());
  await engine.hours(4);
  await engine.withdraw(closed, 100n * UNIT, newTxHash());
  await context.get(PartnerService).update(first, { revenueShareBps: 5_000 });
  engine.sights = sights({ [BETTER]: 0.3 });
  await engine.hours(40);
  await engine.withdraw(moved, 20_000n * UNIT, newTxHash());
  await engine.withdraw(closed, null, newTxHash());
  await engine.stop();
}
