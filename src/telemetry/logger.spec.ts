import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { createLogger, type LogOutput, logOutput } from './logger.js';

/** @returns the fields of the line that `write` logs */
function logged(write: (log: Logger) => void): any {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  write(createLogger({ contract: 'partner', logLevel: 'trace' } as Settings, sink));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]!);
}

/** Error as the database driver creates it. */
const databaseError = (code: string, message: string): Error =>
  Object.assign(new Error(message), {
    code,
    constraint: 'users_external_id_key',
    detail: 'Key (external_id)=(hunter2) already exists.',
    where: "unnamed portal parameter $1 = 'hunter2'",
    query: 'SELECT $1',
    parameters: ['hunter2'],
    driverError: { detail: 'hunter2' },
  });

describe('a log line', () => {
  it('A log line has an error’s type, message, code, constraint, stack and cause, and nothing else of it', () => {
    const cause = databaseError('23505', 'duplicate key value violates unique constraint "x"');
    const { err } = logged((log) => log.error({ err: new Error('failed', { cause }) }, 'sorry'));
    expect(err).toMatchObject({
      type: 'Error',
      message: 'failed',
      stack: expect.stringContaining('logger.spec'),
    });
    expect(err.cause).toEqual({
      type: 'Error',
      message: 'duplicate key value violates unique constraint "x"',
      code: '23505',
      constraint: 'users_external_id_key',
      stack: expect.any(String),
    });
    expect(JSON.stringify(err)).not.toContain('hunter2');
  });

  it.each([
    ['22P02', 'invalid input syntax for type integer: "hunter2 and "more""'],
    ['22003', 'value "hunter2" is out of range for type bigint'],
    ['22021', 'invalid byte sequence "hunter2"\n"hunter2"'],
  ])('A log line omits the value in an error message of the database (%s)', (code, message) => {
    const { err } = logged((log) => log.error({ err: databaseError(code, message) }, 'sorry'));
    expect(JSON.stringify(err)).not.toContain('hunter2');
    expect(err.message).toContain('"[removed]"');
    expect(err.stack).toContain('logger.spec');
  });

  it('A log line redacts an error under err and error alike, even one that is its own cause', () => {
    const error = databaseError('23505', 'duplicate');
    error.cause = error;
    expect(JSON.stringify(logged((log) => log.warn({ error })))).not.toContain('hunter2');
    expect(logged((log) => log.warn({ err: 'a word' })).err).toEqual({ message: 'a word' });
  });

  it.each(
    ['vl_live_', 'vl_sandbox_']
      .map((prefix) => prefix + 'Zy7'.repeat(12) + 'aB')
      .concat(`whsec_${Buffer.alloc(32, 7).toString('base64')}`),
  )('A log line shows no more of %s than its prefix, in a key, value, error or message', (secret) => {
    const line = logged((log) =>
      log.info({ [secret]: 1, deep: { list: [`x ${secret} y`] }, err: new Error(`no ${secret}`) }, secret),
    );
    expect(JSON.stringify(line)).not.toContain(secret.slice(16));
    expect(line.msg).toBe(`${/^.*_/.exec(secret)![0]}[removed]`);
  });

  it('A log line shows no user or password of a URL', () => {
    const err = new Error('connect postgres://vaultline:hunter2@db:5432/x and https://token@example.com/a@b');
    const line = logged((log) => log.warn({ err, url: 'redis://:hunter2@cache' }, 'gone'));
    expect(JSON.stringify(line)).not.toMatch(/hunter2|token|vaultline:/);
    expect(line.err.message).toBe(
      'connect postgres://[removed]@db:5432/x and https://[removed]@example.com/a@b',
    );
  });

  it('A log line removes fields with the names of secrets, credentials, headers and bodies', () => {
    const record = {
      secret: 'hunter2',
      authorization: 'hunter2',
      headers: { a: 'hunter2' },
      body: 'hunter2',
    };
    const line = logged((log) => log.info({ request: record, secret: 'hunter2', body: 'hunter2' }));
    expect(JSON.stringify(line)).not.toContain('hunter2');
  });
});

const HELD_BYTES = 200_000;
const line = (number: number): string => `line ${String(number).padStart(6, '0')} ${'x'.repeat(87)}\n`;

describe('the log output to a pipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-log-'));
  let reading: number;
  let writing: number;
  let output: LogOutput;
  beforeEach(() => {
    const path = join(folder, `pipe-${Math.random()}`);
    execFileSync('mkfifo', [path], { timeout: 10_000 });
    reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    output = logOutput((dropped) => output.write(`${dropped} missing\n`), {
      fd: writing,
      heldBytes: HELD_BYTES,
    });
  });
  afterEach(async () => {
    await output.drained(10);
    closeSync(reading);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (from: number, to: number): void => {
    for (let number = from; number < to; number++) output.write(line(number));
  };
  /** Reads until nothing has come for a while. */
  const read = async (): Promise<string[]> => {
    const bytes = Buffer.alloc(65_536);
    let text = '';
    for (let idle = 0; idle < 30;) {
      const taken = ((): number => {
        try {
          return readSync(reading, bytes);
        } catch {
          return 0;
        }
      })();
      text += bytes.toString('utf8', 0, taken);
      if (taken > 0) idle = 0;
      else {
        idle++;
        await sleep(20);
      }
    }
    return text.split(/(?<=\n)/);
  };
  const lines = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, index) => line(from + index));

  it('The log output to a pipe has all lines in order', async () => {
    write(0, 500);
    expect(await read()).toEqual(lines(0, 500));
    expect(output.dropped).toBe(0);
  });

  it('The log output to a pipe buffers up to its limit for a stalled reader, drops further lines, and logs their count', async () => {
    write(0, 10_000);
    const { dropped } = output;
    expect(dropped).toBeGreaterThan(6_000);
    const taken = await read();
    expect(taken).toEqual([...lines(0, 10_000 - dropped), `${dropped} missing\n`]);
    write(10_000, 10_010);
    expect(await read()).toEqual(lines(10_000, 10_010));
    expect(output.dropped).toBe(dropped);
  });

  it('The log output to a pipe blocks no writer, and delays an exit no longer than the given timeout', async () => {
    const begun = performance.now();
    write(0, 5_000);
    expect(performance.now() - begun).toBeLessThan(1_000);
    await output.drained(50);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('The log output to a pipe is drained completely before the exit while its reader reads', async () => {
    write(0, 1_500);
    const [taken] = await Promise.all([read(), output.drained(10_000)]);
    expect(taken).toEqual(lines(0, 1_500));
  });

  it('The log output to a pipe does not stop the process when its reader has closed the pipe', async () => {
    closeSync(reading);
    write(0, 100);
    await output.drained(100);
    write(100, 200);
    reading = openSync('/dev/null', 'r');
  });
});

describe('the log output to a full disk', () => {
  it('The log output to a full disk drops lines, and does not stop the process', async () => {
    const output = logOutput(() => undefined, { fd: openSync('/dev/full', 'w'), heldBytes: HELD_BYTES });
    for (let number = 0; number < 5_000; number++) output.write(line(number));
    await sleep(20);
    expect(output.dropped).toBeGreaterThan(0);
    await output.drained(100);
  });
});
