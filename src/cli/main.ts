#!/usr/bin/env node
import { Command, Option } from 'commander';
import { ConfigError } from '../config/config-error.js';
import { type Contract, CONTRACTS } from '../config/environment.js';
import { loadSettings, type Settings } from '../config/settings.js';
import { VERSION } from '../config/version.js';
import type { ApiKey } from '../domain/access/api-key.entity.js';
import { KeyService } from '../domain/access/key.service.js';
import { SCOPES, type Scope } from '../domain/access/scope.js';
import { DomainError } from '../domain/domain-error.js';
import type { Page, Position } from '../domain/store/page.js';
import { EventService } from '../domain/webhooks/event.service.js';
import { type ListedVault, MarketService } from '../domain/markets/market.service.js';
import { withDomain } from './context.js';
import { openApiDocument } from './openapi.js';

const PAGE = 500;

const program = new Command('vaultline')
  .description(
    'Operator commands of a Vaultline deployment. Settings come from the environment, as for the server.',
  )
  .version(VERSION)
  .addOption(new Option('--contract <contract>', 'which deployment, instead of CONTRACT').choices(CONTRACTS))
  .showHelpAfterError('(vaultline --help lists all commands)');

program
  .command('migrate')
  .description('bring the database up to date; safe beside running replicas')
  .action(async () => {
    await withDomain(settings(), async () => undefined);
    print('The database is up to date.');
  });

const keys = program.command('keys').description('API keys');

keys
  .command('create')
  .description('create a key and print its secret, once')
  .requiredOption('--label <label>', 'what people call the key')
  .option('--scopes <scopes>', `comma-separated: ${SCOPES.join(', ')}`, 'read')
  .option('--partner <id>', 'bind the key to this partner')
  .action(async (options: { label: string; scopes: string; partner?: string }) => {
    const scopes = parseScopes(options.scopes);
    const { key, secret } = await withDomain(settings(), (context) =>
      context.get(KeyService).create({
        label: checkedText('--label', options.label, 120),
        scopes,
        ...(options.partner !== undefined && { partnerId: options.partner }),
      }),
    );
    print(`${key.id}  ${key.scopes.join(',')}\n${secret}`);
  });

keys
  .command('list')
  .description('list all keys, newest first')
  .action(() =>
    withDomain(settings(), async (context) => {
      const service = context.get(KeyService);
      let after: Position | null = null;
      do {
        const page: Page<ApiKey> = await service.list({ limit: PAGE, after });
        page.items.forEach((key) => print(line(key)));
        after = page.next;
      } while (after);
    }),
  );

keys
  .command('revoke')
  .description('revoke a key; it is refused at once on every replica')
  .argument('<id>', 'id of the key')
  .action(async (id: string) => {
    await withDomain(settings(), (context) => context.get(KeyService).revoke(id));
    print(`${id} is revoked.`);
  });

program
  .command('status')
  .description("the service's state, as partners hear of it")
  .command('broadcast')
  .description('send a system.status event to every subscribed endpoint, through the queue')
  .requiredOption('--message <text>', 'what to tell them')
  .action(async ({ message }: { message: string }) => {
    const text = checkedText('--message', message, 500);
    const id = await withDomain(settings(), (context) => context.get(EventService).broadcastStatus(text));
    print(`${id} is queued.`);
  });

program
  .command('tick')
  .description('bring the market up to an hour; once more changes nothing')
  .option('--at <time>', 'a moment within the hour, ISO 8601 in UTC; default: now')
  .action(async ({ at }: { at?: string }) => {
    const { hours, silent, troubles } = await withDomain(settings(), (context) =>
      context.get(MarketService).tick(at === undefined ? undefined : parseTime(at)),
    );
    print(
      hours === 0 ? 'The market has this hour already.' : `${hours} ${hours === 1 ? 'hour' : 'hours'} added.`,
    );
    troubles.forEach(print);
    if (silent.length > 0) print(`No observation of ${silent.join(', ')}.`);
  });

program
  .command('vaults')
  .description('the vault catalogue')
  .command('list')
  .description('list all vaults with what was last observed')
  .action(() =>
    withDomain(settings(), async (context) => {
      const { items } = await context.get(MarketService).list({ limit: PAGE, after: null });
      items.forEach((item) => print(vaultLine(item)));
    }),
  );

program
  .command('openapi')
  .description('print the OpenAPI document; needs no database')
  .action(async () => {
    const { contract } = program.opts<{ contract?: Contract }>();
    print(JSON.stringify(await openApiDocument(contract ?? settings().contract), null, 2));
  });

// Whoever reads us may have seen enough: `vaultline openapi | head` is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

function settings(): Settings {
  const { contract } = program.opts<{ contract?: string }>();
  return loadSettings(contract === undefined ? process.env : { ...process.env, CONTRACT: contract });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function line(key: ApiKey): string {
  const state = key.revokedAt ? `revoked ${key.revokedAt.toISOString()}` : 'active';
  return [key.id, `${key.prefix}****`, key.scopes.join(','), key.partnerId ?? '-', state, key.label].join(
    '  ',
  );
}

function vaultLine({ vault, state, stale }: ListedVault): string {
  const apy = state?.lastApy == null ? 'unknown' : `${(state.lastApy * 100).toFixed(4)} %`;
  const seen = state?.observedHour?.toISOString() ?? 'never';
  const marks = [vault.lendingBaseline && 'lending baseline', !vault.active && 'inactive', stale && 'stale'];
  return [vault.id, vault.asset, vault.riskTier, apy, seen, marks.filter(Boolean).join(', ')]
    .join('  ')
    .trimEnd();
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) || Number.isNaN(time.getTime())) {
    throw new ConfigError([
      `--at is ${JSON.stringify(text)}; allowed is a time such as 2026-01-31T12:00:00Z.`,
    ]);
  }
  return time;
}

function parseScopes(text: string): Scope[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !SCOPES.some((known) => known === scope));
  if (unknown.length > 0 || new Set(scopes).size < scopes.length) {
    throw new ConfigError([
      `--scopes is ${JSON.stringify(text)}; allowed is each at most once of ${SCOPES.join(', ')}.`,
    ]);
  }
  return scopes as Scope[];
}

/** The API's rule for texts: characters are code points, and blank is none. */
function checkedText(option: string, text: string, max: number): string {
  if ([...text].length > max || !/\S/.test(text)) {
    throw new ConfigError([`${option} must have 1 to ${max} characters and not be blank.`]);
  }
  return text;
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof DomainError) {
    return [error.message, ...error.details.map(({ field, message }) => `  ${field} ${message}`)].join('\n');
  }
  const { code, message } = error as { code?: string; message: string };
  return code ? `The database does not answer (${code}): ${message}` : message;
}
