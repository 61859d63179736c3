import { Agent, request } from 'node:http';
import type { Answer } from '../support/api.js';

/** A whole request. */
export interface Call {
  method: string;
  /** The target below the API root, percent-encoded, with its query. */
  target: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

const CONNECTIONS = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends a request as it is, without a client that would normalise its path. */
export function send(url: string, { method, target, headers, body }: Call): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const options = {
    hostname,
    port,
    method,
    path: `/api/v1${target}`,
    agent: CONNECTIONS,
    headers: { ...headers, ...(bytes && { 'content-length': bytes.length }) },
  };
  return new Promise((resolve, reject) => {
    const sending = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const fields = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve({ status: response.statusCode!, headers: new Headers(fields), text, body: parsed(text) });
      });
    });
    sending.on('error', reject);
    sending.end(bytes);
  });
}

/** The request as a command line; `$API` is the API root, `$KEY` the caller's key. */
export function asCurl({ method, target, headers, body }: Call): string {
  const lines = Object.entries(headers).map(([name, value]) =>
    name.toLowerCase() === 'authorization'
      ? '-H "Authorization: Bearer $KEY"'
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const data = body === undefined ? [] : [`--data-binary ${quoted(body.toString())}`];
  return [`curl -sSi --path-as-is --globoff -X ${method} "$API"${quoted(target)}`, ...lines, ...data].join(
    ' ',
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
