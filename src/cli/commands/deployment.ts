import type { Command } from 'commander';
import { IdentityCheck } from '../../domain/cycle/deployment/identity-check.js';
import { Replicas } from '../../domain/kernel/deployment/replicas.js';
import { recorded, withDomain } from '../context.js';
import { checkedText, type Terminal } from '../terminal.js';

export function addDeploymentCommands(program: Command, terminal: Terminal): void {
  program
    .command('deployment')
    .description('settings that all processes of a deployment share')
    .command('change')
    .description(
      'take over the present ones in place of the recorded ones, which stop every start until then',
    )
    .option('--reason <text>', 'what the record says of it', 'vaultline deployment change')
    .action(async (options: { reason: string }) => {
      const reason = checkedText('--reason', options.reason, 500);
      const [changes, replicas] = await withDomain(terminal.settings(program), async (context) => [
        await recorded(context, { operation: 'deployment change', input: { reason } }, () =>
          context.get(IdentityCheck).change(reason),
        ),
        await context.get(Replicas).seen(),
      ]);
      for (const { name, own, recorded } of changes) terminal.print(`${name}: ${recorded} is ${own} now.`);
      if (changes.length === 0) terminal.print('Nothing differs from what is recorded.');
      else if (replicas.length > 0)
        terminal.print(
          `${replicas.length} of its processes were running within the last minute, with the former values: restart them.`,
        );
    });
}
