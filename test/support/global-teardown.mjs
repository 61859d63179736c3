import { rmSync } from 'node:fs';

export default async function teardown() {
  const running = globalThis.vaultlineTestServer;
  if (!running) return;
  await running.server.release();
  rmSync(running.folder, { recursive: true, force: true });
}
