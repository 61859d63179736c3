import { type Command, Option } from 'commander';
import { LedgerVerifier, REPORTED } from '../../domain/books/ledger/ledger-verifier.js';
import { IdentityCheck } from '../../domain/cycle/deployment/identity-check.js';
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
    .addOption(new Option('--full', 'no effect: the command is always full').hideHelp())
    .action(async () => {
      const checked = await withDomain(terminal.settings(program), async (context) => {
        // By other settings than the deployment's, right figures would differ.
        await context.get(IdentityCheck).compare();
        return context
          .get(LedgerVerifier)
          .run(({ subject, problem }) => terminal.print(`${subject}: ${problem}`));
      });
      const { positions, entries, accounts, settlements, bookRows, compared, ...run } = checked;
      const { differences, auditEntries, auditHead } = run;
      if (differences > REPORTED)
        terminal.print(`The first ${REPORTED} of ${differences} differences are listed; all are counted.`);
      terminal.print(
        `${positions} positions, ${entries} entries, ${accounts} revenue accounts, ${settlements} transfers and ${bookRows} rows of the books checked: ${differences} differences.`,
      );
      const others = Object.entries(compared).map(([what, count]) => `${count} ${what}`);
      terminal.print(`Also checked: ${others.join(', ')}.`);
      terminal.print(`Audit log: ${auditEntries} entries, head ${auditHead}`);
      if (differences > 0) terminal.exitCode = 1;
    });
}
