// Runs a program to its end, with a deadline: once `nest build` never ended, because Node's main thread waited at its exit for a worker of V8.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';

/** Deadlines of a step of a start, in seconds: where it was slow and not stuck, the second try takes longer than the first. */
export const TWICE = [60, 600];

const GRACE_MS = 2_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const running = new Set();

const endAll = () => running.forEach((end) => end('SIGTERM'));
const stop = (signal) => process.exit(128 + constants.signals[signal]);

/**
 * Each try runs in a process group of its own, which is ended at the deadline and with this process, so that none of its children is left.
 *
 * @param what for the message about a deadline
 * @param seconds the deadline; of a list, one for each try
 * @param options of `spawn`; by default the output is this process's
 * @returns status (null: ended by a signal, or at the last deadline), and the output that was piped
 */
export async function run(command, args, { what, seconds, ...options }) {
  for (const [tried, deadline] of [seconds].flat().entries()) {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      ...options,
      detached: true,
    });
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The group has ended.
      }
    };
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      end('SIGTERM');
      setTimeout(end, GRACE_MS, 'SIGKILL');
    }, deadline * 1000);
    watch(end);
    try {
      const [stdout, stderr, [status]] = await Promise.all([
        child.stdout ? text(child.stdout) : '',
        child.stderr ? text(child.stderr) : '',
        once(child, 'close'),
      ]);
      if (!isLate) return { status, stdout, stderr };
    } finally {
      clearTimeout(late);
      release(end);
    }
    const again = tried + 1 < [seconds].flat().length ? ', and it is tried once more' : '';
    process.stderr.write(
      `${what} has not ended after ${deadline} s: process ${child.pid} was ended${again}.\n`,
    );
  }
  return { status: null, stdout: '', stderr: '' };
}

function watch(end) {
  running.add(end);
  if (running.size > 1) return;
  process.on('exit', endAll);
  for (const signal of SIGNALS) process.on(signal, stop);
}

function release(end) {
  running.delete(end);
  if (running.size > 0) return;
  process.off('exit', endAll);
  for (const signal of SIGNALS) process.off(signal, stop);
}
