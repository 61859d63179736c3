import { runCommand } from '../../src/cli/program.js';
import { Terminal } from '../../src/cli/terminal.js';

/** The output of a command, and its exit status. */
export interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output and standard error, in the order of writing. */
  output: string;
}

/**
 * Runs `vaultline <args>` as an operator would, within this process: Node takes longer to load the program than most commands run. The quickstart's
 * test covers that the program itself passes on arguments, environment, output and status.
 */
export async function vaultline(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<CommandRun> {
  const run = { stdout: '', stderr: '', output: '' };
  const write = (stream: 'stdout' | 'stderr') => (text: string) => {
    run[stream] += text;
    run.output += text;
  };
  const code = await runCommand(args, new Terminal(environment, write('stdout'), write('stderr')));
  return { code, ...run };
}
