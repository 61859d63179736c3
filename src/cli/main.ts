#!/usr/bin/env node
import { Command, Option } from 'commander';
import { type Contract, CONTRACTS } from '../config/environment.js';
import { VERSION } from '../config/version.js';
import { EventService } from '../domain/webhooks/event.service.js';
import { addDecisionCommands } from './commands/decisions.js';
import { addKeyCommands } from './commands/keys.js';
import { addLedgerCommands } from './commands/ledger.js';
import { addMarketCommands } from './commands/market.js';
import { addSecretCommands } from './commands/secrets.js';
import { addUserCommands } from './commands/users.js';
import { withDomain } from './context.js';
import { openApiDocument } from './openapi.js';
import { checkedText, explain, print, settingsOf } from './terminal.js';

const program = new Command('vaultline')
  .description(
    'Operator commands of a Vaultline deployment. Settings come from the environment, as for the server.',
  )
  .version(VERSION)
  .addOption(new Option('--contract <contract>', 'which deployment, instead of CONTRACT').choices(CONTRACTS))
  .showHelpAfterError('(vaultline --help lists all commands)');

program
  .command('migrate')
  .description('bring the database up to date; safe beside running replicas')
  .action(async () => {
    await withDomain(settingsOf(program), async () => undefined);
    print('The database is up to date.');
  });

addKeyCommands(program);

program
  .command('status')
  .description("the service's state, as partners hear of it")
  .command('broadcast')
  .description('send a system.status event to every subscribed endpoint, through the queue')
  .requiredOption('--message <text>', 'what to tell them')
  .action(async ({ message }: { message: string }) => {
    const text = checkedText('--message', message, 500);
    const id = await withDomain(settingsOf(program), (context) =>
      context.get(EventService).broadcastStatus(text),
    );
    print(`${id} is queued.`);
  });

addMarketCommands(program);
addLedgerCommands(program);
addDecisionCommands(program);
addUserCommands(program);
addSecretCommands(program);

program
  .command('openapi')
  .description('print the OpenAPI document; needs no database')
  .action(async () => {
    const { contract } = program.opts<{ contract?: Contract }>();
    print(JSON.stringify(await openApiDocument(contract ?? settingsOf(program).contract), null, 2));
  });

// Whoever reads us may have seen enough: `vaultline openapi | head` is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
