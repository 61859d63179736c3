import { Command, CommanderError, Option } from 'commander';
import { type Contract, CONTRACTS } from '../config/deployments.js';
import { VERSION } from '../config/version.js';
import { DatabaseConnection } from '../database/connection.js';
import { EventService } from '../domain/outbound/webhooks/event.service.js';
import { addBacktestCommand } from './commands/backtest.js';
import { addClosingCommands } from './commands/closing.js';
import { addDecisionCommands } from './commands/decisions.js';
import { addConsoleCommands, addDeploymentCommands, addSecretCommands } from './commands/deployment.js';
import { addKeyCommands, addUserCommands } from './commands/keys.js';
import { addLedgerCommands } from './commands/ledger.js';
import { addMarketCommands } from './commands/market.js';
import { recordChange, withDomain } from './context.js';
import { openApiDocument } from './openapi.js';
import { checkedText, type Terminal } from './terminal.js';

/**
 * Runs an operator's command.
 * @param args as typed, without the program's name
 * @returns exit status: 0, or 1 when the command failed or found a problem
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
  } catch (error) {
    // Help, version and usage errors are printed already.
    if (error instanceof CommanderError) return error.exitCode;
    terminal.fail(error);
  }
  return terminal.exitCode;
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('vaultline')
    .exitOverride()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError })
    .description(
      'Operator commands of a Vaultline deployment. Settings come from the environment, as for the server.',
    )
    .version(VERSION)
    .addOption(
      new Option('--contract <contract>', 'contract of the deployment; default: CONTRACT').choices(CONTRACTS),
    )
    .showHelpAfterError('(vaultline --help lists all commands)');

  program
    .command('migrate')
    .description('bring the database up to date; safe while replicas run')
    .action(async () => {
      const notes = await withDomain(
        terminal.settings(program),
        async (context) => context.get(DatabaseConnection).notes,
      );
      for (const line of [...notes, 'The database is up to date.']) terminal.print(line);
    });

  addKeyCommands(program, terminal);
  addConsoleCommands(program, terminal);

  program
    .command('status')
    .description('announcements to partners')
    .command('broadcast')
    .description('send a system.status event to every subscribed endpoint, through the queue')
    .requiredOption('--message <text>', 'the message')
    .action(async ({ message }: { message: string }) => {
      const text = checkedText('--message', message, 500);
      const id = await withDomain(terminal.settings(program), (context) =>
        recordChange(context, { operation: 'status broadcast', input: { message: text } }, () =>
          context.get(EventService).broadcastStatus(text),
        ),
      );
      terminal.print(`${id} is queued.`);
    });

  addMarketCommands(program, terminal);
  addLedgerCommands(program, terminal);
  addClosingCommands(program, terminal);
  addDecisionCommands(program, terminal);
  addUserCommands(program, terminal);
  addSecretCommands(program, terminal);
  addDeploymentCommands(program, terminal);
  addBacktestCommand(program, terminal);

  program
    .command('openapi')
    .description('print the OpenAPI document; needs no database')
    .action(async () => {
      const { contract } = program.opts<{ contract?: Contract }>();
      const document = await openApiDocument(contract ?? terminal.settings(program).contract);
      terminal.print(JSON.stringify(document, null, 2));
    });
  return program;
}
