// Preloaded by a server (`node --import`): shifts its wall clock by the milliseconds in a file, which is read again periodically. Timers and the
// monotonic clock are unchanged, as on a machine whose time is set wrong.
import { readFileSync } from 'node:fs';

const FRESH_MS = 2;
const path = process.env['WALL_CLOCK'];
// The server would refuse an unknown setting.
delete process.env['WALL_CLOCK'];
const wall = Date.now.bind(Date);
let offset = 0;
let readAt = -Infinity;

function now() {
  const at = performance.now();
  if (at - readAt > FRESH_MS) {
    readAt = at;
    const text = readFileSync(path, 'utf8');
    // The file is empty while it is being written.
    if (text !== '') offset = Number(text);
  }
  return wall() + offset;
}

Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, made) => Reflect.construct(target, values.length > 0 ? values : [now()], made),
  apply: (target) => new target(now()).toString(),
});
