import type { Command } from 'commander';
import { DecisionLog } from '../../domain/routing/allocation/decision-log.js';
import { repeatDecision } from '../../domain/routing/allocation/decision-verifier.js';
import { withDomain } from '../context.js';
import type { Terminal } from '../terminal.js';

export function addDecisionCommands(program: Command, terminal: Terminal): void {
  const decisions = program.command('decisions').description('routing decisions');
  const find = (id: string) =>
    withDomain(terminal.settings(program), (context) => context.get(DecisionLog).find(id));
  decisions
    .command('show')
    .description('print a stored decision as JSON, with the holdings of all partners')
    .argument('<id>', 'id of the decision')
    .action(async (id: string) => terminal.print(JSON.stringify(await find(id), null, 2)));
  decisions
    .command('replay')
    .description('replay a decision from its stored inputs; exit status 1 if the result differs')
    .argument('<id>', 'id of the decision')
    .action(async (id: string) => {
      const { record } = await find(id);
      const { again, isSame } = repeatDecision(record);
      if (!isSame)
        throw new Error(`${id} has another result: ${again.kind}, ${again.reason}. ${again.rationale}`);
      terminal.print(`${id} has the same result: ${again.kind}, ${again.reason}. ${again.rationale}`);
    });
}
