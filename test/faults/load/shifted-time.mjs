// Loaded before a server (`node --import`): its wall clock is that of the machine, moved by the milliseconds that a file says, read anew as it goes.
// Timers and the monotonic clock stay as they are, as with a machine whose time is set wrong.
import { readFileSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const FRESH_MS = 2;
const path = isMainThread ? process.env['WALL_CLOCK'] : getEnvironmentData('WALL_CLOCK');
// For the process's other threads.
setEnvironmentData('WALL_CLOCK', path);
// It is no setting of the server.
delete process.env['WALL_CLOCK'];
const wall = Date.now.bind(Date);
let offset = 0;
let readAt = -Infinity;

function now() {
  const at = performance.now();
  if (at - readAt > FRESH_MS) {
    readAt = at;
    const text = readFileSync(path, 'utf8');
    // Empty while it is being written.
    if (text !== '') offset = Number(text);
  }
  return wall() + offset;
}

Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, made) => Reflect.construct(target, values.length > 0 ? values : [now()], made),
  apply: (target) => new target(now()).toString(),
});
