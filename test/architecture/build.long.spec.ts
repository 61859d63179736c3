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
import { ENDS } from '../support/child-environment.js';

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
  'scripts/child.mjs',
  'scripts/console.mjs',
  'scripts/run.mjs',
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
  const outcome = (...command: string[]) =>
    spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8', ...ENDS });
  const run = (...command: string[]): number | null => outcome(...command).status;
  const start = (): number | null => run('scripts/build.mjs');

  it('is of `nest build`, by swc, with types checked', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([scripts.build, scripts.postbuild, scripts['start:dev']]).toEqual([
      'node scripts/run.mjs nest build',
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

  it('before a start that hangs is ended after a minute, with a message, and tried once more', () => {
    const real = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');
    const marker = join(folder, 'hung');
    rmSync(join(folder, 'node_modules'));
    const bin = join(folder, 'node_modules/@nestjs/cli/bin');
    mkdirSync(bin, { recursive: true });
    // Its first process writes its id, and hangs whatever it is asked.
    writeFileSync(
      join(bin, 'nest.js'),
      `import { existsSync, writeFileSync } from 'node:fs';
       if (existsSync(${JSON.stringify(marker)})) await import(${JSON.stringify(real)});
       else {
         writeFileSync(${JSON.stringify(marker)}, String(process.pid));
         process.on('SIGTERM', () => undefined);
         setInterval(() => undefined, 1000);
       }`,
    );
    for (const name of ['node_modules/@nestjs/cli', 'node_modules/@nestjs', 'node_modules'])
      linkMissing(join(ROOT, name), join(folder, name));
    save('export const patient = 1;\n');
    const { status, stderr } = outcome('scripts/build.mjs');
    const pid = readFileSync(marker, 'utf8');
    expect(stderr).toContain(
      `nest build has not ended after 60 s: process ${pid} was ended, and it is tried once more.`,
    );
    expect(status).toBe(0);
    expect(built()).toContain('patient = 1');
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  }, 180_000);
});

/** Links what a folder lacks of another one. */
function linkMissing(from: string, to: string): void {
  for (const name of readdirSync(from))
    if (!existsSync(join(to, name))) symlinkSync(join(from, name), join(to, name));
}
