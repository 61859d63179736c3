import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Retention in a soak: so short that minutes reach it. */
export const KEPT = { deliveries: 200, marketHours: 2160 };

/** A copy of the build, whose configuration has the shorter retention. */
export class Stage {
  private constructor(readonly folder: string) {}

  static make(): Stage {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-soak-'));
    for (const part of ['dist', 'config']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const file of ['default.yaml', 'sandbox.yaml']) {
      const path = join(folder, 'config', file);
      const text = readFileSync(path, 'utf8')
        .replace(/deliveries_kept: \d+/, `deliveries_kept: ${KEPT.deliveries}`)
        .replace(/own_market_hours: \d+/, `own_market_hours: ${KEPT.marketHours}`);
      writeFileSync(path, text);
    }
    return new Stage(folder);
  }

  file(path: string): string {
    return join(this.folder, path);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
