import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver in a process of its own, since what it costs is not to be measured. Tells its URL; told how many are to come, it tells when the first and the last of them came. */
let left = 0;
let first = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.end();
    first ||= Date.now();
    if (--left === 0) process.send!({ first, last: Date.now() });
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', (count: number) => {
  left = count;
  first = 0;
});
process.on('disconnect', () => process.exit());
