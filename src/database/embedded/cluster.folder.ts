import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedServerError, OWN_SERVER } from './embedded-server.error.js';
import { contentOf } from './folder.lock.js';
import { clearServer } from './orphan.server.js';
import { serverEnvironment, type PostgresAccount } from './postgres.account.js';

export const CLUSTER_USER = 'vaultline';
const INITDB_MS = 60_000;

/** @returns the superuser's password; undefined before the first start. */
export async function readPassword(root: string): Promise<string | undefined> {
  return (await contentOf(join(root, 'password')))?.trim() || undefined;
}

/**
 * Prepares the cluster for a start: created, owned by the account, and without a server left from before.
 * @returns the cluster's data folder
 */
export async function prepareCluster(
  root: string,
  account: PostgresAccount,
  durable: boolean,
): Promise<string> {
  const data = join(root, 'data');
  await clearServer(data);
  await removeDrafts(root);
  if (!hasCluster(data)) {
    await createCluster(root, account, data, durable);
  } else if (!(await readPassword(root))) {
    throw new EmbeddedServerError(
      `The password of the embedded PostgreSQL is missing (${join(root, 'password')}): put the file back, ` +
        `delete ${root} to start with an empty database, or ${OWN_SERVER}.`,
    );
  }
  await checkVersion(root, data, account);
  await checkOwner(data, account);
  return data;
}

async function createCluster(
  root: string,
  account: PostgresAccount,
  data: string,
  durable: boolean,
): Promise<void> {
  const password = (await readPassword(root)) ?? randomBytes(24).toString('hex');
  const draft = join(root, `draft-${randomUUID()}`);
  const passwordDraft = `${draft}.password`;
  // Created under another name and renamed: a start that is killed leaves a draft, never half a cluster.
  await writeFile(join(root, 'password'), `${password}\n`, { mode: 0o600 });
  await writeFile(passwordDraft, `${password}\n`, { mode: 0o600 });
  try {
    if (account.owner) await chown(passwordDraft, account.owner.uid, account.owner.gid);
    const create = async (): Promise<boolean> => {
      await rm(draft, { recursive: true, force: true });
      await mkdir(draft, { mode: 0o700 });
      if (account.owner) await chown(draft, account.owner.uid, account.owner.gid);
      return initialise(root, account, [
        `--pgdata=${draft}`,
        `--username=${CLUSTER_USER}`,
        `--pwfile=${passwordDraft}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...(durable ? [] : ['--no-sync']),
      ]);
    };
    if (!(await create())) {
      process.emitWarning(
        `initdb has not ended after ${INITDB_MS / 1000} s: it was ended, and is tried once more.`,
      );
      if (!(await create())) throw new EmbeddedServerError(`initdb in ${root} does not end: ${OWN_SERVER}.`);
    }
    await rename(draft, data);
  } finally {
    await rm(passwordDraft, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/** @returns false: it was ended at its deadline */
async function initialise(
  root: string,
  { ids, native, prefix }: PostgresAccount,
  flags: string[],
): Promise<boolean> {
  const [command = '', ...args] = [...prefix, join(native, 'bin', 'initdb'), ...flags];
  try {
    const options = { ...ids, cwd: '/', env: serverEnvironment(), killSignal: 'SIGKILL' } as const;
    await promisify(execFile)(command, args, { ...options, timeout: INITDB_MS });
    return true;
  } catch (error) {
    if ((error as { killed?: boolean }).killed) return false;
    const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
    const output = `${stdout}${stderr}`.trim() || message;
    throw new EmbeddedServerError(
      `The embedded PostgreSQL could not create its database files in ${root}: ` +
        `mend what its log names, or ${OWN_SERVER}.`,
      { log: output.split('\n').slice(-12).join('\n') },
    );
  }
}

function hasCluster(data: string): boolean {
  return existsSync(join(data, 'PG_VERSION'));
}

/** A killed start may have left its initdb running for a moment; what that still writes is removed at the next start. */
async function removeDrafts(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith('draft-')) continue;
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function checkVersion(root: string, data: string, account: PostgresAccount): Promise<void> {
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  if (version === account.majorVersion) return;
  throw new EmbeddedServerError(
    `The database files in ${data} were made by PostgreSQL ${version}, and the embedded one is ${account.majorVersion}: ` +
      `delete ${root} to start with an empty database, or ${OWN_SERVER}.`,
  );
}

async function checkOwner(data: string, account: PostgresAccount): Promise<void> {
  const found = await stat(data);
  if (account.owner) {
    if (found.uid !== account.owner.uid) await giveTo(data, account.owner);
  } else if (found.uid !== process.getuid?.()) {
    throw new EmbeddedServerError(
      `The database files in ${data} belong to another account: start as that account, choose another data folder, or ${OWN_SERVER}.`,
    );
  }
  // Archives and copies lose the mode, and PostgreSQL refuses a folder that others can read.
  if ((found.mode & 0o077) !== 0) await chmod(data, 0o700);
}

async function giveTo(path: string, owner: { uid: number; gid: number }): Promise<void> {
  if ((await lstat(path)).isDirectory()) {
    for (const name of await readdir(path)) await giveTo(join(path, name), owner);
  }
  // The folder itself last: its owner shows whether everything below has been changed.
  await lchown(path, owner.uid, owner.gid);
}
