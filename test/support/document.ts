import { inlined } from '../../src/http/openapi/share.js';
import type { TestApp } from './app.js';

/** An operation in the OpenAPI document of the running app. */
export interface DocumentedOperation {
  /** `GET /keys/{id}` */
  name: string;
  method: string;
  /** The path below the API root, with `{names}`. */
  path: string;
  operationId: string;
  scopes: string[];
  /** True where only a key bound to a partner is admitted. */
  partnerOnly: boolean;
  /** True where an `Idempotency-Key` is honoured. */
  happensOnce: boolean;
  parameters: {
    in: string;
    name: string;
    schema?: { enum?: string[]; pattern?: string; default?: string };
    example?: string;
  }[];
  /** The example of its body, where it takes one. */
  example?: object;
  /** Schema of its body, where it takes one. */
  body?: any;
  /** Schema of `data` in its answer; of a list, of the list. */
  data?: any;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export async function documentedOperations({ url }: TestApp): Promise<DocumentedOperation[]> {
  const document: any = inlined(await (await fetch(`${url}/openapi.json`)).json());
  /** A schema, with the schemas of its fields. */
  const shallow = (node: any): any => {
    const schema = resolved(document, node);
    const fields = Object.entries<any>(schema?.properties ?? {});
    return (
      schema && {
        ...schema,
        properties: Object.fromEntries(
          fields.map(([name, item]) => [name, { ...item, ...resolved(document, item) }]),
        ),
      }
    );
  };
  /** One record, where an answer may also be a list. */
  const singleOf = (schema: any): any => schema.oneOf?.[0] ?? schema;
  const successOf = ({ responses }: any): any => responses[200] ?? responses[201];
  /** A file has no envelope. */
  const dataOf = (operation: any): any => {
    const json = successOf(operation).content['application/json'];
    return json && singleOf(json.schema).properties.data;
  };
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method];
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operationId: operation.operationId,
        scopes: operation['x-required-scopes'],
        partnerOnly: operation['x-partner-key-required'] === true,
        happensOnce: operation.parameters?.some(({ name }: any) => name === 'Idempotency-Key') ?? false,
        parameters: operation.parameters ?? [],
        example: operation.requestBody?.content['application/json'].example,
        body: shallow(operation.requestBody?.content['application/json'].schema),
        data: shallow(dataOf(operation)),
      };
    }),
  );
}

const ABSENT = '01kaabcdefghjkmnpqrstvwxyz';

/**
 * The kind of ids that a place takes, by its pattern or its example: `usr`. The deployment's own receivers are no partner's, and ids of ledger entries
 * begin like those of events.
 */
export function kindOf(path: string, schema: KindOfSchema = {}): string | undefined {
  const shown = [schema.pattern, schema.example, ...(schema.examples ?? [])].filter(
    (item) => typeof item === 'string',
  );
  const kind = shown.map((item) => SHAPE.exec(item)?.[1]).find((one) => one !== undefined);
  if (kind === 'evt' && /\/(ledger|journal)$/.test(path)) return 'entry';
  return kind === 'wh' && path.startsWith('/alerts/') ? 'alert' : kind;
}

/** What ids of a kind begin with. */
export const prefixOf = (kind: string): string => ({ alert: 'wh', entry: 'evt' })[kind] ?? kind;

/** Whether a place takes a period, a year, a month or a UTC day, instead of an id. */
export const isPeriod = ({ pattern = '' }: KindOfSchema = {}): boolean => pattern.startsWith('^\\d{4}');

interface KindOfSchema {
  pattern?: string;
  example?: unknown;
  examples?: unknown[];
}

/** An id or its pattern; vaults have slugs. */
const SHAPE = /^\^?([a-z]+)_(?:[0-7][0-9a-hjkmnp-tv-z]{25}$|\[0-7\]|(?<=vlt_))/;

/** The operation's path with ids: from `ids` by kind, else well-formed ids without a record. */
export function filledPath(
  { path, parameters }: DocumentedOperation,
  ids: Record<string, string> = {},
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { schema, example } =
      parameters.find((parameter) => parameter.in === 'path' && parameter.name === name) ?? {};
    if (schema?.enum) return schema.enum[0]!;
    if (isPeriod(schema)) return example!;
    const kind = kindOf(path, schema);
    if (!kind) throw new Error(`Which kind of id is ${name} in ${path}? Bind it with @PathId.`);
    return ids[kind] ?? `${prefixOf(kind)}_${ABSENT}`;
  });
}

/** The node that a reference points to, or the node itself. */
export const resolved = (document: any, node: any): any =>
  node?.$ref === undefined
    ? node
    : (node.$ref as string)
        .slice(2)
        .split('/')
        .reduce((at, key) => at[key], document);

/** The path of the document that matches; a literal segment wins over a parameter. undefined: none matches. */
export function templateOf(document: any, path: string): string | undefined {
  const segments = path.replace(/[?#].*$/, '').split('/');
  const matching = Object.keys(document.paths)
    .map((template) => ({ template, parts: template.split('/') }))
    .filter(({ parts }) => parts.length === segments.length)
    .filter(({ parts }) => parts.every((part, index) => part.startsWith('{') || part === segments[index]));
  const parameters = (parts: string[]): number => parts.filter((part) => part.startsWith('{')).length;
  return matching.sort((a, b) => parameters(a.parts) - parameters(b.parts))[0]?.template;
}
