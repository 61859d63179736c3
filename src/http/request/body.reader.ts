import { raw, type Request, type RequestHandler, type Response } from 'express';
import { HttpError } from '../answer/http-error.js';
import { sizeInWords } from '../answer/said.js';

/** How a body may be compressed. Named here, since what the parser knows beyond them depends on the version of Node. */
const ENCODINGS = new Set(['identity', 'gzip', 'deflate', 'br']);
const UTF8 = /^utf-?8$/i;

/** Reads a body as the JSON text that it is, within the deployment's bound. */
export class BodyReader {
  private readonly readBytes: RequestHandler;

  constructor(private readonly limitBytes: number) {
    this.readBytes = raw({ limit: limitBytes, type: () => true });
  }

  /**
   * @returns the text; null where there is no body, or an empty one
   * @throws HttpError `unsupported_media_type`, `payload_too_large`, `malformed_json`
   */
  async read(request: Request, response: Response): Promise<string | null> {
    const length = request.headers['content-length'];
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
    if (!hasBody) return null;
    // Without a type, a body of unknown length may turn out to be none: clients send that where no body is asked for.
    const mayBeEmpty = request.headers['content-type'] === undefined && length === undefined;
    if (!mayBeEmpty) requireJson(request);
    requireEncoding(request);
    const bytes = await this.bytesOf(request, response);
    if (bytes.length === 0) return null;
    if (mayBeEmpty) throw notJson();
    return textOf(bytes);
  }

  private bytesOf(request: Request, response: Response): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.readBytes(request, response, (error?: unknown) => {
        if (error) reject(readError(error, this.limitBytes));
        else resolve(request.body as Buffer);
      });
    });
  }
}

const notJson = (): HttpError =>
  new HttpError('unsupported_media_type', 'Send the body as JSON, with "Content-Type: application/json".');

const malformed = (): HttpError =>
  new HttpError('malformed_json', 'The body is not well-formed JSON. Check commas, quotes and encoding.');

/** JSON is UTF-8, whatever a type says beside it (RFC 8259, 8.1). */
function requireJson(request: Request): void {
  const type = request.headers['content-type'] ?? '';
  const charsets = [...type.matchAll(/;\s*charset\s*=\s*"?([^\s";]*)/gi)].map(([, charset]) => charset!);
  if (!request.is('application/json') || !charsets.every((charset) => UTF8.test(charset))) throw notJson();
}

function requireEncoding(request: Request): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && !ENCODINGS.has(encoding.toLowerCase())) {
    throw new HttpError('unsupported_media_type', 'Send the body as UTF-8, plain or in gzip, deflate or br.');
  }
}

/** @throws HttpError `malformed_json` for what is no UTF-8: U+FFFD in its place would make one id of two that differ */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed();
  }
}

/** What the parser throws, in our words. */
function readError(error: unknown, limitBytes: number): Error {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') {
    return new HttpError(
      'payload_too_large',
      `The body is larger than ${sizeInWords(limitBytes)}. Send less.`,
    );
  }
  return status !== undefined && status < 500 ? malformed() : (error as Error);
}

/** @throws HttpError `malformed_json` */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}
