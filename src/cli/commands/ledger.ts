import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { LedgerChecks } from '../../domain/books/ledger/ledger-checks.service.js';
import { decide } from '../../domain/routing/allocation/choice.js';
import { DecisionLog } from '../../domain/routing/allocation/decision-log.js';
import { withDomain } from '../context.js';
import type { Terminal } from '../terminal.js';

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
          .get(LedgerChecks)
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
