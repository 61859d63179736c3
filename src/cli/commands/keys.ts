import type { Command } from 'commander';
import { ConfigError } from '../../config/config-error.js';
import type { Page, PageKey } from '../../domain/kernel/store/page.js';
import { KeyService, type ListedKey } from '../../domain/tenants/access/key.service.js';
import { KeySuspension } from '../../domain/tenants/access/key-suspension.js';
import { type Scope, SCOPES } from '../../domain/tenants/access/scope.js';
import { type Holder, UserService } from '../../domain/tenants/users/user.service.js';
import { recordChange, withDomain } from '../context.js';
import { checkedText, checkedTime, PAGE, type Terminal } from '../terminal.js';

export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('API keys');

  keys
    .command('create')
    .description('create a key and print its secret, once')
    .requiredOption('--label <label>', 'label of the key')
    .option('--scopes <scopes>', `comma-separated: ${SCOPES.join(', ')}`, 'read')
    .option('--partner <id>', 'bind the key to this partner')
    .option('--expires-at <time>', 'expiry, ISO 8601 in UTC; default: never')
    .action(async (options: { label: string; scopes: string; partner?: string; expiresAt?: string }) => {
      const scopes = parseScopes(options.scopes);
      const { expiresAt } = options;
      const { key, secret } = await withDomain(terminal.settings(program), (context) =>
        recordChange(context, { operation: 'keys create' }, () =>
          context.get(KeyService).create({
            label: checkedText('--label', options.label, 120),
            scopes,
            ...(options.partner !== undefined && { partnerId: options.partner }),
            ...(expiresAt !== undefined && { expiresAt: checkedTime('--expires-at', expiresAt) }),
          }),
        ),
      );
      terminal.print(`${key.id}  ${key.scopes.join(',')}\n${secret}`);
    });

  keys
    .command('list')
    .description('list all keys, newest first')
    .action(() =>
      withDomain(terminal.settings(program), async (context) => {
        const service = context.get(KeyService);
        let after: PageKey | null = null;
        do {
          const page: Page<ListedKey> = await service.list({ limit: PAGE, after });
          page.items.forEach((key) => terminal.print(keyLine(key)));
          after = page.next;
        } while (after);
      }),
    );

  keys
    .command('revoke')
    .description('revoke a key; it is refused at once on every replica')
    .argument('<id>', 'id of the key')
    .action(async (id: string) => {
      await withDomain(terminal.settings(program), (context) =>
        recordChange(context, { operation: 'keys revoke', subjects: [id], setsFields: true }, () =>
          context.get(KeyService).revoke(id),
        ),
      );
      terminal.print(`${id} is revoked.`);
    });

  keys
    .command('resume')
    .description('resume keys that deployment restored --suspend-keys suspended')
    .argument('[id]', 'id of a key')
    .option('--all', 'all suspended keys')
    .action(async (id: string | undefined, { all = false }: { all?: boolean }) => {
      if (all === (id !== undefined))
        throw new ConfigError([
          'keys resume takes the id of a key, or --all; vaultline keys list shows the ids.',
        ]);
      const act = { operation: 'keys resume', subjects: id === undefined ? [] : [id], input: { all } };
      const resumed = await withDomain(terminal.settings(program), (context) =>
        recordChange(context, act, () => context.get(KeySuspension).resume(id)),
      );
      terminal.print(`${resumed} keys are active again.`);
    });
}

function keyLine(key: ListedKey): string {
  const state = key.revokedAt
    ? `revoked ${key.revokedAt.toISOString()}`
    : key.suspendedAt
      ? `suspended ${key.suspendedAt.toISOString()}`
      : key.expiresAt
        ? `until ${key.expiresAt.toISOString()}`
        : 'active';
  return [key.id, `${key.prefix}****`, key.scopes.join(','), key.partnerId ?? '-', state, key.label].join(
    '  ',
  );
}

function parseScopes(text: string): Scope[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !SCOPES.some((allowed) => allowed === scope));
  if (unknown.length > 0 || new Set(scopes).size < scopes.length) {
    throw new ConfigError([
      `--scopes is ${JSON.stringify(text)}; allowed, once each, are ${SCOPES.join(', ')}.`,
    ]);
  }
  return scopes as Scope[];
}

const EXTERNAL_ID_CHARACTERS = 255;

export function addUserCommands(program: Command, terminal: Terminal): void {
  const users = program.command('users').description('external ids of end-users');

  users
    .command('find')
    .description('show the user that has an external id')
    .argument('<external_id>', 'the external id')
    .action(async (text: string) => {
      const externalId = checkedText('<external_id>', text, EXTERNAL_ID_CHARACTERS);
      const holders = await withDomain(terminal.settings(program), (context) =>
        context.get(UserService).holders(externalId, PAGE),
      );
      holders.forEach((holder) => terminal.print(holderLine(holder)));
      if (holders.length === 0) terminal.print('No user has this external id.');
    });

  users
    .command('release')
    .description('free an external id: its user keeps everything else and gets a random one')
    .argument('<external_id>', 'the external id')
    .requiredOption('--partner <id>', 'partner of the user; see users find')
    .action(async (text: string, { partner }: { partner: string }) => {
      const externalId = checkedText('<external_id>', text, EXTERNAL_ID_CHARACTERS);
      const user = await withDomain(terminal.settings(program), async (context) => {
        const service = context.get(UserService);
        const holder = (await service.holders(externalId, PAGE)).find(
          ({ partnerId }) => partnerId === partner,
        );
        const act = { operation: 'users release', subjects: holder ? [holder.id] : [] };
        return recordChange(context, act, () => service.release(partner, externalId));
      });
      terminal.print(`${externalId} is free. ${user.id} now has the external id ${user.externalId}.`);
    });
}

function holderLine({ id, partnerId, partnerName, status, createdAt, hasPositions }: Holder): string {
  const positions = hasPositions ? 'has or had positions' : 'never had a position';
  return [id, partnerId, status, createdAt.toISOString(), positions, partnerName].join('  ');
}
