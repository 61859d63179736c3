import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MADE_OF = [
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  '.swcrc',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/console.mjs',
  'scripts/sources.mjs',
];

/** The builds use the project's own configuration, on sources of one file. */
describe('the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-build-'));
  beforeAll(() => {
    mkdirSync(join(folder, 'src'));
    for (const name of MADE_OF) cpSync(join(ROOT, name), join(folder, name));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const save = (text: string): void => writeFileSync(join(folder, 'src/main.ts'), text);
  const built = (): string => readFileSync(join(folder, 'dist/main.js'), 'utf8');
  const bundled = (): string => readFileSync(join(folder, 'dist/bundle/main.js'), 'utf8');
  const run = (...command: string[]): number | null =>
    spawnSync(process.execPath, command, { cwd: folder, stdio: 'ignore' }).status;
  const start = (): number | null => run('scripts/build.mjs');

  it('is of `nest build`, by swc, with types checked', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([scripts.build, scripts.postbuild, scripts['start:dev']]).toEqual([
      'nest build',
      'node scripts/bundle.mjs && node scripts/console.mjs',
      expect.stringMatching(/ nest start --watch$/),
    ]);
    const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8'));
    expect(compilerOptions).toMatchObject({ builder: { type: 'swc' }, typeCheck: true });
  });

  it('before a start checks no types, is made aside, and leaves the one before where it fails', () => {
    save('export const first: string = 1;\n');
    expect(start()).toBe(0);
    expect(built()).toContain('first = 1');
    expect(bundled()).toContain('first = 1');
    save('export const second = (;\n');
    expect(start()).not.toBe(0);
    expect(built()).toContain('first = 1');
    expect(readdirSync(folder).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
    save('export const third = 3;\n');
    expect(start()).toBe(0);
    expect(built()).toContain('third = 3');
  });

  it('that is asked for by `npm run build` refuses a wrong type', () => {
    const nest = ['node_modules/@nestjs/cli/bin/nest.js', 'build'];
    save('export const wrong: string = 1;\n');
    expect(run(...nest)).toBe(1);
    expect(existsSync(join(folder, 'dist/main.js'))).toBe(false);
    save('export const right: string = "1";\n');
    expect(run(...nest)).toBe(0);
    expect(built()).toContain('right = "1"');
  });
});
