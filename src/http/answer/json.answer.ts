import type { ServerResponse } from 'node:http';

/** Sends a JSON text as the whole answer. Express's `json` is avoided because it looks up settings, type and conditional headers each time. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.statusCode = status;
  for (const name in headers) response.setHeader(name, headers[name]!);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
