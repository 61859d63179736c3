import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { templateOf } from './document.js';

/** The part of an answer that a document describes; `test/support/api.ts` makes them. */
export interface AnswerToCheck {
  status: number;
  headers: Headers;
  /** The parsed body. */
  body: unknown;
}

const ID = 'openapi';
/** Options of a validator of which each schema is asked a few times: a shape is compiled once, and is not optimized. */
const COMPILED_QUICKLY = { inlineRefs: false, code: { optimize: false } } as const;

/**
 * Checks answers against the OpenAPI document of their contract. The check is stricter than the document: an answer may have no undocumented field.
 */
export class AnswerCheck {
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(
    readonly document: any,
    /** A prefix of messages. */
    readonly contract: string,
  ) {
    this.ajv = new Ajv2020({
      validateFormats: false,
      allErrors: true,
      strict: false,
      multipleOfPrecision: 6,
      ...COMPILED_QUICKLY,
    });
    this.ajv.addSchema({ ...closed(document), $id: ID }, ID, false, false);
  }

  /** @throws Error with every difference between the answer and the document. `path` is relative to the API root; a query may follow. */
  check(method: string, path: string, answer: AnswerToCheck): void {
    const problems = this.problems(method, path, answer);
    if (problems.length === 0) return;
    const request = `${method} ${path} answered ${answer.status}`;
    throw new Error(`${this.contract}: ${[request, ...problems, JSON.stringify(answer.body)].join('\n  ')}`);
  }

  /** @throws Error when the document does not allow this request body */
  checkBody(method: string, path: string, body: unknown): void {
    const template = templateOf(this.document, path);
    const pointer = [
      'paths',
      template!,
      method.toLowerCase(),
      'requestBody',
      'content',
      'application/json',
      'schema',
    ];
    const problems = this.against(pointer, body);
    if (problems.length > 0) throw new Error(`${method} ${path}: body: ${problems.join('; ')}`);
  }

  /** @throws Error when a request to a receiver is not as documented */
  checkEvent({ headers, body }: { headers: IncomingHttpHeaders; body: Buffer }): void {
    const event = JSON.parse(body.toString()) as { type: string };
    const { post } = this.document.webhooks[event.type];
    const pointer = ['webhooks', event.type, 'post'];
    const problems = [
      ...post.parameters.flatMap((_: unknown, index: number) => {
        const at = this.resolved([...pointer, 'parameters', String(index)]);
        return this.against([...at, 'schema'], headers[this.at(at).name.toLowerCase()]);
      }),
      ...this.against([...pointer, 'requestBody', 'content', 'application/json', 'schema'], event),
    ];
    if (problems.length > 0) throw new Error(`${event.type}: ${problems.join('; ')}`);
  }

  /** Every difference between the answer and the document. `path` is relative to the API root; a query may follow. */
  problems(method: string, path: string, { status, headers, body }: AnswerToCheck): string[] {
    const template = templateOf(this.document, path);
    const operation = template && this.document.paths[template][method.toLowerCase()];
    // An answer to an unknown operation is still an error in the common envelope.
    if (!operation) {
      const reasons = [401, 404, 405].includes(status) ? [] : ['is not documented'];
      return [...reasons, ...this.against(['components', 'schemas', 'ErrorEnvelope'], body)];
    }
    const at = this.resolved(['paths', template, method.toLowerCase(), 'responses', String(status)]);
    const response = this.at(at);
    if (!response) return [`${status} is not documented`];
    const [[type, { examples }]] = Object.entries<any>(response.content) as [[string, any]];
    const codes = Object.keys(examples ?? {});
    const code = (body as { error?: { code: string } } | undefined)?.error?.code;
    return [
      ...((headers.get('content-type') ?? '').split(';')[0] === type ? [] : [`is not sent as ${type}`]),
      ...Object.keys(response.headers).flatMap((name) =>
        this.headerProblems([...at, 'headers', name], name, headers),
      ),
      ...(code === undefined || codes.includes(code) ? [] : [`${code} is not among ${codes.join(', ')}`]),
      // A file has no body to look into.
      ...(type === 'application/json' ? this.against([...at, 'content', type, 'schema'], body) : []),
    ];
  }

  private headerProblems(pointer: string[], name: string, headers: Headers): string[] {
    const at = this.resolved(pointer);
    const { required, schema } = this.at(at);
    const value = headers.get(name);
    if (value === null) return required ? [`${name} is missing`] : [];
    const problems = this.against([...at, 'schema'], schema.type === 'integer' ? Number(value) : value);
    return problems.map((problem) => `${name}: ${problem}`);
  }

  private at(pointer: string[]): any {
    return pointer.reduce<any>((node, key) => node?.[key], this.document);
  }

  /** The pointer after following references. */
  private resolved(pointer: string[]): string[] {
    const reference: string | undefined = this.at(pointer)?.$ref;
    return reference ? reference.slice(2).split('/') : pointer;
  }

  private against(pointer: string[], value: unknown): string[] {
    const path = this.resolved(pointer)
      .map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = this.compiled.get(path) ?? this.ajv.compile({ $ref: `${ID}#/${path}` });
    this.compiled.set(path, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** The document, with additional fields forbidden in every object that names its fields. */
function closed<T>(node: T): T {
  if (Array.isArray(node)) return node.map(closed) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isSchema = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return (isSchema ? { additionalProperties: false, ...copy } : copy) as T;
}
