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
    const answer = await exchanged(this.url, method, path, {
      headers: {
        ...(this.key !== undefined && { authorization: `Bearer ${this.key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      agent: CONNECTIONS,
    });
    if (!(answer.status < 300 && SHOWS_SECRET.test(`${method} ${path}`)))
      searchText(`an answer ${answer.status} to ${method} ${path}`, answer.text);
    return answer;
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

/** One request to the API and its whole answer. A `timeoutMs` of 0 waits for ever. */
export async function exchanged(
  url: string,
  method: string,
  path: string,
  sent: { headers: Record<string, string>; body: string | undefined; agent: Agent; timeoutMs?: number },
): Promise<Answer> {
  const verb = VERBS[method];
  if (!verb) throw new Error(`${method} is none of this caller's methods: use sendRaw`);
  const sending = request(url)
    [verb](`/api/v1${path}`)
    .agent(sent.agent)
    .redirects(0)
    .timeout(sent.timeoutMs ?? 0)
    .ok(() => true)
    .buffer(true)
    .parse(asText as never)
    .set(sent.headers);
  if (sent.body !== undefined) sending.send(sent.body);
  const response = await sending;
  // An answer to HEAD has no body to parse.
  const text = typeof response.body === 'string' ? response.body : '';
  const fields = Object.entries<string | string[]>(response.headers);
  const headers = new Headers(fields.map(([name, value]): [string, string] => [name, String(value)]));
  return { status: response.status, headers, text, body: parsed(text) };
}

function asText(response: NodeJS.ReadableStream, done: (error: Error | null, text: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)));
  response.on('end', () => done(null, Buffer.concat(chunks).toString()));
}

/** What an answer's text is; undefined: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
