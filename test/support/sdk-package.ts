import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ENDS } from './child-environment.js';

/** Builds a copy of the SDK in a folder, so that no suite builds where another one reads. @returns the copy */
export function buildSdkCopy(folder: string): string {
  for (const path of ['sdk', 'scripts/child.mjs'])
    cpSync(path, join(folder, path), { recursive: true, filter: (source) => !source.startsWith('sdk/dist') });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, [join(folder, 'sdk/scripts/build.mjs')], { stdio: 'pipe', ...ENDS });
  return join(folder, 'sdk');
}

/** Packs a built SDK and installs the tarball in a folder, with what it depends on. */
export function installSdk(sdk: string, folder: string): void {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: sdk,
    ...ENDS,
  });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const scope = join(folder, 'node_modules/@vaultline/sdk');
  mkdirSync(scope, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', scope, '--strip-components=1'], ENDS);
  symlinkSync(resolve('node_modules/openapi-fetch'), join(folder, 'node_modules/openapi-fetch'));
}
