import type { Command } from 'commander';
import { LedgerVerifier } from '../../domain/books/ledger/ledger-verifier.js';
import { withDomain } from '../context.js';
import type { Terminal } from '../terminal.js';

export function addLedgerCommands(program: Command, terminal: Terminal): void {
  program
    .command('ledger')
    .description('the ledger that all money is recorded in')
    .command('verify')
    .description(
      'recompute every position and every book from the ledger; exit status 1 if anything stored differs',
    )
    .action(async () => {
      const { positions, entries, accounts, settlements, bookRows, differences } = await withDomain(
        terminal.settings(program),
        (context) =>
          context
            .get(LedgerVerifier)
            .verify(({ subject, problem }) => terminal.print(`${subject}: ${problem}`)),
      );
      terminal.print(
        `${positions} positions, ${entries} entries, ${accounts} revenue accounts, ${settlements} transfers and ${bookRows} rows of the books checked: ${differences} differences.`,
      );
      if (differences > 0) terminal.exitCode = 1;
    });
}
