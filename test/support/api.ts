import { Agent } from 'node:http';
import request from 'supertest';
import { searchText } from './secret-watch.js';

/** A whole answer with its bytes, which some promises are about. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Bodies are untyped: tests assert what they find in them.
  body: any;
}

/** A caller of the API over real HTTP, with one key. */
export class Api {
  constructor(
    readonly url: string,
    readonly key?: string,
  ) {}

  /** A caller of the same deployment with another key, or none. */
  as(key: string | undefined): Api {
    return new Api(this.url, key);
  }

  get = (path: string, headers?: Record<string, string>): Promise<Answer> =>
    this.send('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('POST', path, body, headers);
  put = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('PUT', path, body, headers);
  patch = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('PATCH', path, body, headers);
  delete = (path: string, headers?: Record<string, string>): Promise<Answer> =>
    this.send('DELETE', path, undefined, headers);

  /** `path` is relative to the API root; a string body is sent as it is. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const verb = VERBS[method];
    if (!verb) throw new Error(`${method} is none of this caller's methods: use sendRaw`);
    const sending = request(this.url)
      [verb](`/api/v1${path}`)
      .agent(CONNECTIONS)
      .redirects(0)
      .ok(() => true)
      .buffer(true)
      .parse(asText as never);
    sending.set({
      ...(this.key !== undefined && { authorization: `Bearer ${this.key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    });
    if (body !== undefined) sending.send(typeof body === 'string' ? body : JSON.stringify(body));
    const response = await sending;
    // An answer to HEAD has no body to parse.
    const text = typeof response.body === 'string' ? response.body : '';
    if (!(response.ok && SHOWS_SECRET.test(`${method} ${path}`))) {
      searchText(`an answer ${response.status} to ${method} ${path}`, text);
    }
    return {
      status: response.status,
      headers: new Headers(fields(response.headers)),
      text,
      body: parsed(text),
    };
  }
}

/** Operations whose answers may show a secret: those that create one. */
const SHOWS_SECRET =
  /^POST \/(keys(\/[^/]+\/rotate)?|sessions|partners|alerts\/webhooks|webhooks(\/check|\/wh_\w+\/secret\/rotate)?)$/;

const VERBS: Record<string, 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options'> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
  HEAD: 'head',
  OPTIONS: 'options',
};

/** Connections are kept alive, as a client's would be; they do not keep a finished run alive. */
const CONNECTIONS = new Agent({ keepAlive: true, maxFreeSockets: 64 });

function asText(response: NodeJS.ReadableStream, done: (error: Error | null, text: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)));
  response.on('end', () => done(null, Buffer.concat(chunks).toString()));
}

const fields = (headers: Record<string, string | string[]>): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, String(value)]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
