import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { LedgerVerifier } from '../../domain/books/ledger/ledger-verifier.js';
import { decide } from '../../domain/routing/allocation/choice.js';
import { DecisionLog } from '../../domain/routing/allocation/decision-log.js';
import { withDomain, recorded } from '../context.js';
import { type Terminal, checkedTime, PAGE } from '../terminal.js';
import { HourlyCycle } from '../../domain/cycle/hourly-cycle.service.js';
import { IdentityCheck } from '../../domain/cycle/deployment/identity-check.js';
import { type ListedVault, MarketService } from '../../domain/markets/hours/market.service.js';

export function addLedgerCommands(program: Command, terminal: Terminal): void {
  program
    .command('ledger')
    .description('the ledger')
    .command('verify')
    .description(
      'recompute positions and books from the ledger, and verify the audit log; exit status 1 if anything differs',
    )
    .option('--full', 'from the first entry instead of the last checkpoint')
    .action(async ({ full = false }: { full?: boolean }) => {
      const checked = await withDomain(terminal.settings(program), (context) =>
        context
          .get(LedgerVerifier)
          .run(full, ({ subject, problem }) => terminal.print(`${subject}: ${problem}`)),
      );
      const { positions, entries, accounts, settlements, bookRows, differences, isFull, seal, ...audit } =
        checked;
      terminal.print(
        `${positions} positions, ${entries} entries, ${accounts} revenue accounts, ${settlements} transfers and ${bookRows} rows of the books checked, ${isFull ? 'from the beginning' : 'since the last checkpoint'}: ${differences} differences.`,
      );
      terminal.print(`Audit log: ${audit.auditEntries} entries, head ${audit.auditHead}`);
      if (seal !== null) terminal.print(`Checkpoint: ${seal}`);
      if (differences > 0) terminal.exitCode = 1;
    });
}

export function addDecisionCommands(program: Command, terminal: Terminal): void {
  const decisions = program.command('decisions').description('routing decisions');
  const find = (id: string) =>
    withDomain(terminal.settings(program), (context) => context.get(DecisionLog).find(id));
  decisions
    .command('show')
    .description('print a stored decision as JSON, with the holdings of all partners')
    .argument('<id>', 'id of the decision')
    .action(async (id: string) => terminal.print(JSON.stringify(await find(id), null, 2)));
  decisions
    .command('replay')
    .description('replay a decision from its stored inputs; exit status 1 if the result differs')
    .argument('<id>', 'id of the decision')
    .action(async (id: string) => {
      const { record } = await find(id);
      const again = decide(record.inputs);
      // Words are no part of the choice, and may differ from those of an older version.
      if (!isDeepStrictEqual({ ...again, rationale: '' }, { ...record, rationale: '' }))
        throw new Error(`${id} has another result: ${again.kind}, ${again.reason}. ${again.rationale}`);
      terminal.print(`${id} has the same result: ${again.kind}, ${again.reason}. ${again.rationale}`);
    });
}

export function addMarketCommands(program: Command, terminal: Terminal): void {
  program
    .command('tick')
    .description('add missing hours of the market; idempotent')
    .option('--at <time>', 'a moment within the hour, ISO 8601 in UTC; default: now')
    .action(async ({ at }: { at?: string }) => {
      const { hours, silent, troubles, accruals, moved } = await withDomain(
        terminal.settings(program),
        async (context) => {
          const moment = at === undefined ? undefined : checkedTime('--at', at);
          await context.get(IdentityCheck).compare();
          // Each hour has transactions of its own.
          await recorded(context, { operation: 'tick', input: { at: at ?? null } }, () => Promise.resolve());
          return context.get(HourlyCycle).run(moment);
        },
      );
      terminal.print(
        hours === 0
          ? 'The market has this hour already.'
          : `${hours} ${hours === 1 ? 'hour' : 'hours'} added.`,
      );
      if (accruals > 0) terminal.print(`${accruals} accruals posted.`);
      if (moved > 0) terminal.print(`${moved} positions moved.`);
      troubles.forEach((trouble) => terminal.print(trouble));
      if (silent.length > 0) terminal.print(`No observation of ${silent.join(', ')}.`);
    });

  program
    .command('vaults')
    .description('the vault catalogue')
    .command('list')
    .description('list all vaults with their last observation')
    .action(() =>
      withDomain(terminal.settings(program), async (context) => {
        const { items } = await context.get(MarketService).list({ limit: PAGE, after: null });
        items.forEach((item) => terminal.print(vaultLine(item)));
      }),
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
