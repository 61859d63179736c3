/** An answer, whole: with its bytes, because some promises are about them. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Tests look into bodies freely; what they find there is what they assert.
  body: any;
}

/** A caller of the API over real HTTP, with one key. */
export class Api {
  constructor(
    readonly url: string,
    readonly key?: string,
  ) {}

  /** The same deployment with another key, or none. */
  as(key: string | undefined): Api {
    return new Api(this.url, key);
  }

  get = (path: string, headers?: Record<string, string>): Promise<Answer> =>
    this.send('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.send('POST', path, body, headers);
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
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        ...(this.key !== undefined && { authorization: `Bearer ${this.key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
