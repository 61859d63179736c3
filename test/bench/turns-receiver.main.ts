import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receivers of webhooks in a process of their own, so that their CPU time is not measured; they answer at once. The process reports its URL. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => {
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('disconnect', () => process.exit());
