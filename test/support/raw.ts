import { connect } from 'node:net';
import type { Answer } from './api.js';

/**
 * Sends bytes as they are over a new socket, and reads until the server closes it, for requests that no HTTP client would send.
 *
 * @param bytes should ask for `Connection: close`, or the answer ends with the server's idle timeout
 */
export function sendRaw(url: string, bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A server that refuses early may reset the rest of the request; the answer came before.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const answer = parse(Buffer.concat(chunks).toString());
      if (answer) resolve(answer);
      else reject(new Error('The server closed the connection without an answer.'));
    });
  });
}

/** The head of a request to the API; `path` is relative to the API root. */
export const rawHead = (method: string, path: string, headers: Record<string, string> = {}): string =>
  [`${method} /api/v1${path} HTTP/1.1`, 'Host: test', 'Connection: close']
    .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
    .concat('', '')
    .join('\r\n');

function parse(whole: string): Answer | null {
  const end = whole.indexOf('\r\n\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(whole)?.[1];
  if (end < 0 || status === undefined) return null;
  const fields = whole.slice(0, end).split('\r\n').slice(1);
  const headers = new Headers(
    fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()]),
  );
  const text = whole.slice(end + 4);
  return { status: Number(status), headers, text, body: text === '' ? undefined : JSON.parse(text) };
}
