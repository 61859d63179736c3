import type { Command } from 'commander';
import { type Holder, UserService } from '../../domain/tenants/users/user.service.js';
import { recorded, withDomain } from '../context.js';
import { checkedText, PAGE, type Terminal } from '../terminal.js';

const EXTERNAL_ID_CHARACTERS = 255;

export function addUserCommands(program: Command, terminal: Terminal): void {
  const users = program
    .command('users')
    .description('end-users, by the external id that a partner gave them');

  users
    .command('find')
    .description('say whose user an external id is')
    .argument('<external_id>', 'the external id')
    .action(async (given: string) => {
      const externalId = checkedText('<external_id>', given, EXTERNAL_ID_CHARACTERS);
      const holders = await withDomain(terminal.settings(program), (context) =>
        context.get(UserService).holders(externalId, PAGE),
      );
      holders.forEach((holder) => terminal.print(line(holder)));
      if (holders.length === 0) terminal.print('No user has this external id.');
    });

  users
    .command('release')
    .description("take an external id from a partner's user, which keeps all else and gets another one")
    .argument('<external_id>', 'the external id')
    .requiredOption('--partner <id>', 'whose user has it; see users find')
    .action(async (given: string, { partner }: { partner: string }) => {
      const externalId = checkedText('<external_id>', given, EXTERNAL_ID_CHARACTERS);
      const user = await withDomain(terminal.settings(program), async (context) => {
        const service = context.get(UserService);
        const holder = (await service.holders(externalId, PAGE)).find(
          ({ partnerId }) => partnerId === partner,
        );
        const act = { operation: 'users release', subjects: holder ? [holder.id] : [] };
        return recorded(context, act, () => service.release(partner, externalId));
      });
      terminal.print(`${externalId} is free. ${user.id} has the external id ${user.externalId} now.`);
    });
}

function line({ id, partnerId, partnerName, status, createdAt, hasPositions }: Holder): string {
  const positions = hasPositions ? 'has or had positions' : 'never had a position';
  return [id, partnerId, status, createdAt.toISOString(), positions, partnerName].join('  ');
}
