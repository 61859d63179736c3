// Health check of a container of docker/compose.yaml: healthy while the server is ready. Docker restarts a process that ended, and not one that is unhealthy: so a server whose event
// loop has hung for 30 seconds, and which therefore does not even answer that it is live, is killed here, and `restart` starts it again.
//
// The container needs `init: true`: then the server is the child of process 1, which nothing in the container can kill.
import { readFileSync } from 'node:fs';

const HUNG_MS = 30_000;
const PATIENCE_MS = 4_000;

/** @returns whether the answer is 200; null: no answer in time */
const probe = (path, ms) =>
  fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/${path}`, {
    signal: AbortSignal.timeout(ms),
  }).then(
    ({ ok }) => ok,
    ({ name }) => (name === 'TimeoutError' ? null : false),
  );

const ready = await probe('ready', PATIENCE_MS);
if (ready === null && (await probe('live', HUNG_MS)) === null) {
  const [server] = readFileSync('/proc/1/task/1/children', 'utf8').trim().split(' ');
  if (server) process.kill(Number(server), 'SIGKILL');
}
process.exit(ready ? 0 : 1);
