import type { Command } from 'commander';
import { LedgerVerifier, REPORTED } from '../../domain/books/ledger/ledger-verifier.js';
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
          .get(LedgerVerifier)
          .run(full, ({ subject, problem }) => terminal.print(`${subject}: ${problem}`)),
      );
      const { positions, entries, accounts, settlements, bookRows, compared, ...run } = checked;
      const { differences, isFull, seal, ...audit } = run;
      if (differences > REPORTED)
        terminal.print(`The first ${REPORTED} of ${differences} differences are listed; all are counted.`);
      terminal.print(
        `${positions} positions, ${entries} entries, ${accounts} revenue accounts, ${settlements} transfers and ${bookRows} rows of the books checked, ${isFull ? 'from the beginning' : 'since the last checkpoint'}: ${differences} differences.`,
      );
      const others = Object.entries(compared).map(([what, count]) => `${count} ${what}`);
      terminal.print(`Checked with them: ${others.join(', ')}.`);
      terminal.print(`Audit log: ${audit.auditEntries} entries, head ${audit.auditHead}`);
      if (seal !== null) terminal.print(`Checkpoint: ${seal}`);
      if (differences > 0) terminal.exitCode = 1;
    });
}
