#!/usr/bin/env node
import { runCommand } from './program.js';
import { Terminal } from './terminal.js';

// A reader may close the pipe early: `vaultline openapi | head` is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await runCommand(
  process.argv.slice(2),
  new Terminal(
    process.env,
    (text) => process.stdout.write(text),
    (text) => process.stderr.write(text),
  ),
);
