import type { Command } from 'commander';
import { IdentityCheck } from '../../domain/cycle/deployment/identity-check.js';
import { HourlyCycle } from '../../domain/cycle/hourly-cycle.service.js';
import { type ListedVault, MarketService } from '../../domain/markets/hours/market.service.js';
import { recordChange, withDomain } from '../context.js';
import { checkedTime, PAGE, type Terminal } from '../terminal.js';

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
          await recordChange(context, { operation: 'tick', input: { at: at ?? null } }, () =>
            Promise.resolve(),
          );
          return context.get(HourlyCycle).run(moment);
        },
      );
      terminal.print(
        hours === 0
          ? 'The market already has this hour.'
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
  const observedAt = state?.observedHour?.toISOString() ?? 'never';
  const marks = [vault.lendingBaseline && 'lending baseline', !vault.active && 'inactive', stale && 'stale'];
  return [vault.id, vault.asset, vault.riskTier, apy, observedAt, marks.filter(Boolean).join(', ')]
    .join('  ')
    .trimEnd();
}
