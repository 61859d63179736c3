import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServerError, errorCode, OWN_SERVER } from './embedded-server.error.js';
import { clearServer } from './orphan.server.js';
import { elsewhere, serverEnvironment, type PostgresAccount } from './postgres.account.js';

export const CLUSTER_USER = 'vaultline';

/** @returns the superuser's password; undefined before the first start. */
export async function readPassword(root: string): Promise<string | undefined> {
  try {
    return (await readFile(join(root, 'password'), 'utf8')).trim() || undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Prepares the cluster for a start: created, owned by the account, at a place that the account can reach, and without a server left from before.
 * @returns the cluster's data folder
 */
export async function prepareCluster(
  root: string,
  account: PostgresAccount,
  durable: boolean,
): Promise<string> {
  const data = join(account.place, 'data');
  const other = account.place === root ? await elsewhere(root) : root;
  const password = await readPassword(root);

  // The password file is created with the cluster. A cluster elsewhere without one belonged to a folder that was deleted.
  if (!password && account.place !== root) await rm(data, { recursive: true, force: true });
  await clearServer(data);
  if (other) {
    await clearServer(join(other, 'data'));
    if (password) await bringData(other, account);
  }
  await removeDrafts(account.place);

  if (!(await hasCluster(data))) {
    await createCluster(root, account, data, durable);
  } else if (!password) {
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
  const draft = join(account.place, `draft-${randomUUID()}`);
  const passwordDraft = `${draft}.password`;
  // Created under another name and renamed: a start that is killed leaves a draft, never half a cluster.
  await writeFile(join(root, 'password'), `${password}\n`, { mode: 0o600 });
  await writeFile(passwordDraft, `${password}\n`, { mode: 0o600 });
  try {
    if (account.owner) await chown(passwordDraft, account.owner.uid, account.owner.gid);
    await makeOwnFolder(draft, account);
    const output = await run(account, 'initdb', [
      `--pgdata=${draft}`,
      `--username=${CLUSTER_USER}`,
      `--pwfile=${passwordDraft}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
    if (output !== undefined) {
      throw new EmbeddedServerError(
        `The embedded PostgreSQL could not create its database files in ${account.place}: ` +
          `mend what its log names, or ${OWN_SERVER}.`,
        { log: output },
      );
    }
    await rename(draft, data);
  } finally {
    await rm(passwordDraft, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

async function makeOwnFolder(folder: string, account: PostgresAccount): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (account.owner) await chown(folder, account.owner.uid, account.owner.gid);
}

/** @returns undefined on success, otherwise the end of the command's output. */
async function run(account: PostgresAccount, file: string, args: string[]): Promise<string | undefined> {
  const [command = '', ...rest] = [...account.prefix, join(account.native, 'bin', file), ...args];
  const child = spawn(command, rest, {
    ...account.ids,
    cwd: '/',
    env: serverEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4_000)));
  }
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(-1);
    });
    child.on('close', resolve);
  });
  return code === 0 ? undefined : output.trim().split('\n').slice(-12).join('\n');
}

async function hasCluster(data: string): Promise<boolean> {
  return stat(join(data, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/** Moves the cluster that another kind of account left at its own place. */
async function bringData(from: string, account: PostgresAccount): Promise<void> {
  const [original, data] = [join(from, 'data'), join(account.place, 'data')];
  if (!(await hasCluster(original))) return;
  if (await hasCluster(data)) {
    // A move that was killed before its last step leaves both copies. The new one is complete; the original is renamed.
    await rename(original, `${original}.superseded-${Date.now()}`);
    return;
  }
  const draft = join(account.place, `draft-${randomUUID()}`);
  await cp(original, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  if (account.owner) await giveTo(draft, account.owner);
  await rename(draft, data);
  const leaving = join(from, `draft-${randomUUID()}`);
  await rename(original, leaving);
  await rm(leaving, { recursive: true, force: true });
  // A place elsewhere contains nothing else; the folder of the settings is never empty.
  await rmdir(from).catch(() => undefined);
}

/** A killed start may have left its initdb running for a moment; what that still writes is removed at the next start. */
async function removeDrafts(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith('draft-')) continue;
    await rm(join(place, name), { recursive: true, force: true }).catch(() => undefined);
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
