import type { Command } from 'commander';
import { recorded, withDomain } from '../context.js';
import { consoleLink } from '../console-link.js';
import type { Terminal } from '../terminal.js';

export function addConsoleCommands(program: Command, terminal: Terminal): void {
  program
    .command('console')
    .description('the web console')
    .command('code')
    .description('print a link that signs in once, within ten minutes, with all that a key may')
    .requiredOption('--key-id <id>', 'the key that it stands for')
    .action(async ({ keyId }: { keyId: string }) => {
      terminal.print(
        await withDomain(terminal.settings(program), (context) =>
          recorded(context, { operation: 'console code', subjects: [keyId] }, () =>
            consoleLink(context, keyId),
          ),
        ),
      );
    });
}
