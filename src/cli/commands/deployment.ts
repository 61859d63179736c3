import type { Command } from 'commander';
import { ConfigError } from '../../config/config-error.js';
import { IdentityCheck } from '../../domain/cycle/deployment/identity-check.js';
import { Replicas } from '../../domain/kernel/deployment/replicas.js';
import { SecretsCheck } from '../../domain/kernel/secrets/secrets-check.js';
import { SecretsRotation } from '../../domain/kernel/secrets/secrets-rotation.js';
import { DeliveryService } from '../../domain/outbound/webhooks/delivery.service.js';
import { Dispatcher } from '../../domain/outbound/webhooks/dispatcher.js';
import { FanOutService } from '../../domain/outbound/webhooks/fan-out.service.js';
import { KeySuspension } from '../../domain/tenants/access/key-suspension.js';
import { recordChange, withDomain } from '../context.js';
import { consoleLink } from '../prepared.js';
import { checkedText, type Terminal } from '../terminal.js';

export function addDeploymentCommands(program: Command, terminal: Terminal): void {
  const deployment = program.command('deployment').description('settings and state that all processes share');

  deployment
    .command('restored')
    .description(
      'after a restore, before a process starts: close deliveries that may have been sent since, end sessions, and count active partners and keys',
    )
    .option('--suspend-keys', 'refuse all keys until vaultline keys resume')
    .action(async ({ suspendKeys = false }: { suspendKeys?: boolean }) => {
      const { closed, sessions, active } = await withDomain(terminal.settings(program), async (context) => {
        const keys = context.get(KeySuspension);
        const input = { suspend_keys: suspendKeys };
        const done = await recordChange(context, { operation: 'deployment restored', input }, async () => {
          const counted = { active: await keys.active(), sessions: await keys.endSessions() };
          if (suspendKeys) await keys.suspend();
          return counted;
        });
        // Deliveries of the lost time are unknown: they are queued again to be closed as interrupted, and nothing is sent.
        await context.get(Dispatcher).stop();
        await context.get(FanOutService).fanOut();
        return { ...done, closed: await context.get(DeliveryService).abandon() };
      });
      terminal.print(
        `${closed} deliveries are closed as interrupted; partners find their events as undelivered.`,
      );
      terminal.print(`${sessions} sessions are ended.`);
      const { keys, administrators, partners } = active;
      terminal.print(
        `${partners} partners and ${keys} keys (${administrators} of administrators) are active again as in the backup, even if they were disabled or revoked after it.`,
      );
      terminal.print(
        suspendKeys
          ? 'All keys are suspended: disable and revoke those again, then run vaultline keys resume --all.'
          : 'Disable and revoke those again, or refuse all keys meanwhile: vaultline deployment restored --suspend-keys.',
      );
    });

  deployment
    .command('change')
    .description('adopt the changed shared settings; until then no process starts with them')
    .option('--reason <text>', 'reason, for the record', 'vaultline deployment change')
    .action(async (options: { reason: string }) => {
      const reason = checkedText('--reason', options.reason, 500);
      const [changes, replicas] = await withDomain(terminal.settings(program), async (context) => [
        await context
          .get(IdentityCheck)
          .change(reason, (change) =>
            recordChange(context, { operation: 'deployment change', input: { reason } }, change),
          ),
        await context.get(Replicas).list(),
      ]);
      for (const { name, own, recorded } of changes) terminal.print(`${name}: ${recorded} is ${own} now.`);
      if (changes.length === 0) terminal.print('The settings do not differ from the recorded ones.');
      else if (replicas.length > 0)
        terminal.print(
          `${replicas.length} processes were running with the former values within the last minute: restart them.`,
        );
    });
}

export function addSecretCommands(program: Command, terminal: Terminal): void {
  const secrets = program.command('secrets').description('values encrypted with SECRETS_KEY');

  secrets
    .command('rotate')
    .description('encrypt with SECRETS_KEY what SECRETS_KEY_PREVIOUS encrypted')
    .action(async () => {
      const { endpoints, answers } = await withDomain(terminal.settings(program), async (context) => {
        const rotation = context.get(SecretsRotation);
        await recordChange(context, { operation: 'secrets rotate' }, () => rotation.begin());
        terminal.print('Waiting 20 seconds, until all processes encrypt with SECRETS_KEY.');
        // Each batch has a transaction of its own.
        return rotation.finish();
      });
      terminal.print(
        `${endpoints} endpoints and ${answers} stored answers were encrypted again. Nothing is encrypted with SECRETS_KEY_PREVIOUS: remove it.`,
      );
    });

  secrets
    .command('forget')
    .description('after the key was lost: delete what it encrypted, webhook endpoints included')
    .option('--yes', 'confirm that the key is lost')
    .action(async ({ yes }: { yes?: boolean }) => {
      if (!yes) {
        throw new ConfigError([
          '--yes is missing; the command deletes every webhook endpoint, and every stored answer to an Idempotency-Key.',
        ]);
      }
      const { endpoints, answers } = await withDomain(terminal.settings(program), (context) =>
        recordChange(context, { operation: 'secrets forget' }, () => context.get(SecretsCheck).forget()),
      );
      terminal.print(
        `${endpoints} endpoints and ${answers} stored answers were deleted; the current SECRETS_KEY is in use.`,
      );
    });
}

export function addConsoleCommands(program: Command, terminal: Terminal): void {
  program
    .command('console')
    .description('the web console')
    .command('code')
    .description('print a link that signs in once, within ten minutes, with the rights of a key')
    .requiredOption('--key-id <id>', 'id of the key')
    .action(async ({ keyId }: { keyId: string }) => {
      terminal.print(
        await withDomain(terminal.settings(program), (context) =>
          recordChange(context, { operation: 'console code', subjects: [keyId] }, () =>
            consoleLink(context, keyId),
          ),
        ),
      );
    });
}
