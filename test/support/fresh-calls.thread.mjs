import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread that sends requests on new connections, reports when all are sent, and then the answer to each: its status line, or the failure's code.
 */
const { port, path, key, count, sent } = workerData;
const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;

const calls = Array.from({ length: count }, () => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const written = new Promise((resolve) => socket.on('connect', () => socket.write(request, resolve)));
  const answer = new Promise((resolve) => {
    socket.on('data', (part) => (text += part));
    socket.on('error', ({ code }) => resolve(code));
    socket.on('close', () => resolve(text.split('\r\n')[0]));
  });
  return { written, answer };
});

await Promise.all(calls.map(({ written }) => written));
Atomics.store(sent, 0, 1);
Atomics.notify(sent, 0);
parentPort.postMessage(await Promise.all(calls.map(({ answer }) => answer)));
