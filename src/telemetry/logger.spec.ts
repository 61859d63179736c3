import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { createLogger } from './logger.js';

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
  it('tells of an error its kind, message, code, constraint, stack and cause, and nothing else', () => {
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
  ])('leaves out the value of which the database complains (%s)', (code, message) => {
    const { err } = logged((log) => log.error({ err: databaseError(code, message) }, 'sorry'));
    expect(JSON.stringify(err)).not.toContain('hunter2');
    expect(err.message).toContain('"[removed]"');
    expect(err.stack).toContain('logger.spec');
  });

  it('treats an error alike under either name, and one that is its own cause', () => {
    const error = databaseError('23505', 'duplicate');
    error.cause = error;
    expect(JSON.stringify(logged((log) => log.warn({ error })))).not.toContain('hunter2');
    expect(logged((log) => log.warn({ err: 'a word' })).err).toEqual({ message: 'a word' });
  });

  it.each(
    ['vl_live_', 'vl_sandbox_']
      .map((prefix) => prefix + 'Zy7'.repeat(12) + 'aB')
      .concat(`whsec_${Buffer.alloc(32, 7).toString('base64')}`),
  )('shows no more of %s than what it is, wherever it stands', (secret) => {
    const line = logged((log) =>
      log.info({ [secret]: 1, deep: { list: [`x ${secret} y`] }, err: new Error(`no ${secret}`) }, secret),
    );
    expect(JSON.stringify(line)).not.toContain(secret.slice(16));
    expect(line.msg).toBe(`${/^.*_/.exec(secret)![0]}[removed]`);
  });

  it('shows no user and no password of a URL', () => {
    const err = new Error('connect postgres://vaultline:hunter2@db:5432/x and https://token@example.com/a@b');
    const line = logged((log) => log.warn({ err, url: 'redis://:hunter2@cache' }, 'gone'));
    expect(JSON.stringify(line)).not.toMatch(/hunter2|token|vaultline:/);
    expect(line.err.message).toBe(
      'connect postgres://[removed]@db:5432/x and https://[removed]@example.com/a@b',
    );
  });

  it('removes secrets, credentials and bodies by their names', () => {
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
