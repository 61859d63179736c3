import type { Command } from 'commander';
import { ConfigError } from '../../config/config-error.js';
import { SecretsCheck } from '../../domain/kernel/secrets/secrets-check.js';
import { recorded, withDomain } from '../context.js';
import type { Terminal } from '../terminal.js';

export function addSecretCommands(program: Command, terminal: Terminal): void {
  program
    .command('secrets')
    .description('what is sealed with SECRETS_KEY')
    .command('forget')
    .description('after the key was lost: give up what was sealed with it, every webhook endpoint included')
    .option('--yes', 'yes, it is lost')
    .action(async ({ yes }: { yes?: boolean }) => {
      if (!yes) {
        throw new ConfigError([
          '--yes is missing; without the key every webhook endpoint goes, and every stored answer to an Idempotency-Key.',
        ]);
      }
      const { endpoints, answers } = await withDomain(terminal.settings(program), (context) =>
        recorded(context, { operation: 'secrets forget' }, () => context.get(SecretsCheck).forget()),
      );
      terminal.print(
        `${endpoints} endpoints and ${answers} stored answers are given up; the present key is the key now.`,
      );
    });
}
