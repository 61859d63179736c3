#!/usr/bin/env node
import { runCommand } from './program.js';
import { Terminal } from './terminal.js';

// A reader may close the pipe early: `vaultline openapi | head` is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const terminal = new Terminal(
  process.env,
  (text) => process.stdout.write(text),
  (text) => process.stderr.write(text),
);
// Node's default output would include all fields of an error, such as the parameters of a statement.
process.on('uncaughtException', (error) => {
  terminal.fail(error);
  process.exit(1);
});
process.exitCode = await runCommand(process.argv.slice(2), terminal);
