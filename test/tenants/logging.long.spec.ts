import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';
import { ENDS } from '../support/child-environment.js';

/** More log lines than a pipe holds. */
const MANY = 1_500;
/** Turns a signal into an unexpected error. */
const FAILING = `data:text/javascript,${encodeURIComponent('process.on("SIGUSR2", () => { throw new Error("unforeseen"); })')}`;

/** A process whose standard output is not read: the log may lose lines, but callers may not lose answers. */
describe('the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-log-'));
  let database: TestDatabase;
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  });

  const start = async (stdout: 'pipe' | number): Promise<Replica> => {
    const replica = await Replica.spawn(
      'partner',
      {
        DATABASE_URL: database.url,
        BOOTSTRAP_ADMIN_KEY: newKeySecret('live'),
        NODE_OPTIONS: `--import ${FAILING}`,
      },
      stdout,
    );
    closing.push(() => replica.kill('SIGKILL'));
    await replica.untilReady();
    return replica;
  };

  /** A pipe that nobody reads before the test does. */
  const pipe = (): number => {
    const path = join(folder, String(closing.length + Math.random()));
    execFileSync('mkfifo', [path], ENDS);
    // The pipe is opened in both directions, so that neither end waits for the other.
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const writing = openSync(path, constants.O_WRONLY);
    closing.push(() => [fd, writing].forEach((text) => closeSync(text)));
    return writing;
  };

  const answers = async ({ url }: Replica, count: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 50) {
      const some = Array.from({ length: 50 }, () =>
        fetch(`${url}/health/live`, { signal: AbortSignal.timeout(20_000) }).then(async (answer) => {
          await answer.bytes();
          return answer.status;
        }),
      );
      statuses.push(...(await Promise.all(some)));
    }
    return statuses;
  };

  it('The log blocks no request and no stop when nobody reads it', async () => {
    const replica = await start(pipe());
    expect(await answers(replica, MANY)).toEqual(Array(MANY).fill(200));
    expect(await replica.kill('SIGTERM')).toBe(0);
  });

  it('The log has the last lines of a process that stops or fails', async () => {
    const stopping = await start('pipe');
    await stopping.kill('SIGTERM');
    await until(async () => stopping.logs.includes('"msg":"stopped"'));
    const failing = await start('pipe');
    failing.child.kill('SIGUSR2');
    expect(await failing.exit()).toBe(1);
    await until(async () => failing.logs.includes('"msg":"unexpected end"'));
    expect(failing.logs).toContain('unforeseen');
  });
});
