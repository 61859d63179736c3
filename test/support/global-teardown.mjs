import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The variable that `global-setup.mjs` sets. */
const FINDINGS = 'VAULTLINE_TEST_FINDINGS';

/** Stops the server, and fails the run where a secret was found in the service's output (`secret-watch.ts`). */
export default async function teardown() {
  const found = findings(process.env[FINDINGS]);
  const running = globalThis.vaultlineTestServer;
  if (running) {
    await running.server.release();
    rmSync(running.folder, { recursive: true, force: true });
  }
  if (found.length > 0) throw new Error(`Secrets stand where none may:\n${found.join('\n')}`);
}

/** A line for each secret and place, however often it occurred there. */
function findings(folder) {
  if (!folder) return [];
  const lines = readdirSync(folder).map((name) => {
    const { secret, place, file } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return `  ${secret} in ${place} (${file})`;
  });
  return [...new Set(lines)].sort();
}
