import type { Command } from 'commander';
import { DecisionLog } from '../../domain/routing/decision-log.js';
import { withDomain } from '../context.js';
import type { Terminal } from '../terminal.js';

export function addDecisionCommands(program: Command, terminal: Terminal): void {
  program
    .command('decisions')
    .description('what deposits and moves were decided by')
    .command('show')
    .description(
      'print a decision as it is stored, as JSON: with what all partners held, which no partner is shown',
    )
    .argument('<id>', 'id of the decision')
    .action(async (id: string) => {
      const decision = await withDomain(terminal.settings(program), (context) =>
        context.get(DecisionLog).find(id),
      );
      terminal.print(JSON.stringify(decision, null, 2));
    });
}
