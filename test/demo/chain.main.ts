import { once } from 'node:events';
import { Command } from 'commander';
import { StepFailed, Steps } from './steps.js';
import { Story } from './story.js';

/**
 * `npm run demo:chain`: an end-user's savings on a chain of this machine, step by step. Exit code 0: every step came true; 1: one did not; 2: it was
 * interrupted, or not run.
 */
const DONE = 0;
const FAILED = 1;
const NOT_RUN = 2;

interface Options {
  json: boolean;
  keep: boolean;
}

const options = new Command('npm run demo:chain --')
  .description(
    'Shows deposit, allocation, reserves, loss, move, payment and statement on a chain of this machine.',
  )
  .option('--json', 'print a JSON object a line', false)
  .option('--keep', 'keep everything running until Ctrl-C', false)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? DONE : NOT_RUN))
  .parse()
  .opts<Options>();

const print = (line: string, object: object): void =>
  void process.stdout.write(`${options.json ? JSON.stringify(object) : line}\n`);

/** @returns the exit code */
async function run(interrupted: Promise<unknown>): Promise<number> {
  const steps = new Steps(print);
  const story = new Story(steps);
  const told = async (): Promise<void> => {
    await story.begin();
    print(`          Console: ${story.consoleLink}`, { console: story.consoleLink });
    await story.tell();
  };
  try {
    const isTold = await Promise.race([told().then(() => true), interrupted.then(() => false)]);
    if (!isTold) return NOT_RUN;
    print(`${steps.seconds.toFixed(1).padStart(6)} s  Every step came true.`, {
      result: 'done',
      seconds: steps.seconds,
    });
    if (options.keep) {
      const { url } = story.deployment.replica;
      print(`          It runs on at ${url}, the chain at ${story.chain.anvil.url}. Ctrl-C ends it.`, {
        kept: url,
      });
      await interrupted;
    }
    return DONE;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    print(`FAILED    ${error.message}`, { result: 'failed', reason: error.message });
    process.stderr.write(`${story.logs}\n`);
    return FAILED;
  } finally {
    await story.close();
  }
}

const interrupted = Promise.race(
  (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal)),
);
// Ctrl-C reaches the children of a terminal, too, and a second one must not cut their end short.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.exit(
  await run(interrupted).catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    return NOT_RUN;
  }),
);
