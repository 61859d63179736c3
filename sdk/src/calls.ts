import createClient, { type Client } from 'openapi-fetch';
import { envelopeError, UNEXPECTED, VaultlineError } from './errors.js';
import type {
  Change,
  Download,
  Effect,
  EffectOptions,
  Find,
  Operation,
  PathWith,
  Read,
  RequestOptions,
  Row,
} from './operations.js';
import { type Settings, settingsOf, type VaultlineOptions } from './options.js';
import { type Page, PagedList } from './paged-list.js';
import { parseRetryAfter } from './retry.policy.js';
import { Call, parsed } from './transport.js';

interface Input {
  path?: Record<string, unknown>;
  query?: object;
  body?: unknown;
}

interface Envelope {
  data: unknown;
  meta?: { has_more: boolean; next_cursor?: string };
}

type Sent = Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Makes the methods for operations of one document. Types of arguments and results follow from the path. */
export class Calls<Paths extends object> {
  readonly raw: Client<Paths>;
  readonly #settings: Settings;

  constructor(options: VaultlineOptions) {
    this.#settings = settingsOf(options);
    const fetch = (request: Request): Promise<Response> => new Call(this.#settings).fetch(request);
    this.raw = createClient<Paths>({ baseUrl: this.#settings.root, fetch });
  }

  read<Path extends PathWith<Paths, 'get'>, Op = Operation<Paths, Path, 'get'>>(path: Path): Read<Path, Op> {
    return this.#method('GET', path, []) as Read<Path, Op>;
  }

  find<Path extends PathWith<Paths, 'get'>, Op = Operation<Paths, Path, 'get'>>(path: Path): Find<Path, Op> {
    return this.#method('GET', path, ['query']) as Find<Path, Op>;
  }

  list<Path extends PathWith<Paths, 'get'>, Op = Operation<Paths, Path, 'get'>>(
    path: Path,
  ): Find<Path, Op, PagedList<Row<Op>>> {
    const method = (...input: unknown[]): PagedList<Row<Op>> => {
      const [given, options] = takeApart(path, input, ['query']);
      return new PagedList((cursor) => {
        const query = { ...given.query, ...(cursor !== undefined && { cursor }) };
        return this.#page(path, { ...given, query }, options);
      });
    };
    return method;
  }

  /** A file, whose body is not read: it may be larger than the memory. */
  download<Path extends PathWith<Paths, 'get'>, Op = Operation<Paths, Path, 'get'>>(
    path: Path,
  ): Download<Path, Op> {
    const method = async (...input: unknown[]): Promise<Response> => {
      const [{ path: parts }, options] = takeApart(path, input, []);
      const call = new Call(this.#settings, options, true);
      const request = this.raw.request as unknown as (method: string, path: string, init: object) => Sent;
      const init = { params: { path: parts }, fetch: call.fetch, parseAs: 'stream' };
      const { error, response } = await request('GET', path, init);
      if (response.ok) return response;
      throw refusal(call, 'GET', error, response);
    };
    return method;
  }

  create<Path extends PathWith<Paths, 'post'>, Op = Operation<Paths, Path, 'post'>>(
    path: Path,
  ): Effect<Path, Op> {
    return this.#method('POST', path, ['body']) as Effect<Path, Op>;
  }

  /** A POST that takes no body. */
  act<Path extends PathWith<Paths, 'post'>, Op = Operation<Paths, Path, 'post'>>(
    path: Path,
  ): Effect<Path, Op> {
    return this.#method('POST', path, []) as Effect<Path, Op>;
  }

  change<Path extends PathWith<Paths, 'patch'>, Op = Operation<Paths, Path, 'patch'>>(
    path: Path,
  ): Change<Path, Op> {
    return this.#method('PATCH', path, ['body']) as Change<Path, Op>;
  }

  /** PUT: the record is replaced as a whole. */
  replace<Path extends PathWith<Paths, 'put'>, Op = Operation<Paths, Path, 'put'>>(
    path: Path,
  ): Change<Path, Op> {
    return this.#method('PUT', path, ['body']) as Change<Path, Op>;
  }

  remove<Path extends PathWith<Paths, 'delete'>, Op = Operation<Paths, Path, 'delete'>>(
    path: Path,
  ): Read<Path, Op> {
    const method = async (...input: unknown[]): Promise<unknown> => {
      const [given, options] = takeApart(path, input, []);
      const call = new Call(this.#settings, options);
      try {
        return (await this.#send(call, 'DELETE', path, given)).data;
      } catch (error) {
        // A 404 after an attempt without an answer means that that attempt deleted the record.
        const isGone = call.isUncertain && error instanceof VaultlineError && error.status === 404;
        if (isGone) return { id: given.path?.['id'], deleted: true };
        throw error;
      }
    };
    return method as Read<Path, Op>;
  }

  #method(
    verb: string,
    path: string,
    named: readonly ('query' | 'body')[],
  ): (...input: unknown[]) => Promise<unknown> {
    return async (...input) => {
      const [given, options] = takeApart(path, input, named);
      return (await this.#send(new Call(this.#settings, options), verb, path, given)).data;
    };
  }

  async #page<Found>(path: string, input: Input, options: RequestOptions): Promise<Page<Found>> {
    const { data, meta } = await this.#send(new Call(this.#settings, options), 'GET', path, input);
    return { data: data as Found[], hasMore: meta?.has_more ?? false, nextCursor: meta?.next_cursor ?? null };
  }

  /** @throws VaultlineError, VaultlineConnectionError */
  async #send(call: Call, method: string, path: string, { body, ...params }: Input): Promise<Envelope> {
    const request = this.raw.request as unknown as (method: string, path: string, init: object) => Sent;
    // The body is read as text: one that is not JSON becomes a descriptive error.
    const init = { params, body, fetch: call.fetch, parseAs: 'text' };
    const { data, error, response } = await request(method, path, init);
    const answer = response.ok ? (parsed(String(data)) as Envelope | undefined) : undefined;
    if (answer?.data !== undefined) return answer;
    throw refusal(call, method, error, response);
  }
}

/** Takes arguments by position: the parts of the path, the named ones, the options. @throws TypeError for a part that would lead to another path */
function takeApart(
  path: string,
  input: readonly unknown[],
  [named]: readonly ('query' | 'body')[],
): [Input, EffectOptions] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ids = names.map((name, index): [string, unknown] => {
    const value = input[index];
    if (typeof value !== 'string' || !/^[\w-]{1,200}$/.test(value))
      throw new TypeError(`${path} takes its ${name} as a string, an id, a name or a period.`);
    return [name, value];
  });
  const rest = input.slice(names.length);
  const [first, options] = named ? rest : [undefined, rest[0]];
  return [{ path: Object.fromEntries(ids), ...(named && { [named]: first }) }, options ?? {}];
}

function refusal(call: Call, method: string, body: unknown, response: Response): VaultlineError {
  const { status, headers } = response;
  const said = envelopeError(body);
  const { path, attempts, idempotencyKey } = call;
  return new VaultlineError({
    code: said?.code ?? UNEXPECTED,
    message:
      said?.message ??
      `${method} ${path} was answered ${status} with what is no answer of Vaultline's: check baseUrl.`,
    status,
    requestId: headers.get('X-Request-Id') ?? said?.request_id ?? null,
    details: said?.details ?? [],
    retryAfterSeconds: parseRetryAfter(headers.get('Retry-After')),
    method,
    path,
    attempts,
    idempotencyKey,
  });
}
