import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receivers in a process of their own, since what they cost is not to be measured: they answer at once. Tells its URL, and when asked how many requests have come. */
let count = 0;
const server = createServer((request, response) => {
  count++;
  request.resume().on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => {
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', () => process.send!({ count }));
process.on('disconnect', () => process.exit());
