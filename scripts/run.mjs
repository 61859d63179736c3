// Runs a program of node_modules/.bin as an npm script would, with a deadline: `node scripts/run.mjs nest build`.
import { run } from './child.mjs';

/** Checking types takes longer than the steps of a start. */
const SECONDS = [300, 900];

const [command, ...args] = process.argv.slice(2);
const { status } = await run(command, args, { what: [command, ...args].join(' '), seconds: SECONDS });
process.exitCode = status ?? 1;
