import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A receiver of webhooks in a process of its own, so that its CPU time is not measured. It reports its URL; after being told how many requests to
 * expect, it reports when the first and the last of them arrived.
 */
let remaining = 0;
let first = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.end();
    first ||= Date.now();
    if (--remaining === 0) process.send!({ first, last: Date.now() });
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', (count: number) => {
  remaining = count;
  first = 0;
});
process.on('disconnect', () => process.exit());
