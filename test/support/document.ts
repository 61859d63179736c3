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
  parameters: { in: string; name: string; schema?: { enum?: string[] }; example?: string }[];
  /** The example of its body, where it takes one. */
  example?: object;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export async function documentedOperations({ url }: TestApp): Promise<DocumentedOperation[]> {
  const document: any = await (await fetch(`${url}/openapi.json`)).json();
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method];
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operationId: operation.operationId,
        scopes: operation['x-required-scopes'],
        partnerOnly:
          'partner_key_required' in (operation.responses[403]?.content['application/json'].examples ?? {}),
        happensOnce: JSON.stringify(operation.parameters ?? []).includes('IdempotencyKey'),
        parameters: operation.parameters ?? [],
        example: operation.requestBody?.content['application/json'].example,
      };
    }),
  );
}

/** The kind of id that a path parameter stands for, by the segment before it. */
const PREFIXES: Record<string, string> = {
  keys: 'key',
  partners: 'ptn',
  campaigns: 'cmp',
  users: 'usr',
  user: 'usr',
  webhooks: 'wh',
  positions: 'pos',
  settlements: 'set',
  moves: 'mov',
  vaults: 'vlt',
};
const ABSENT = '01kaabcdefghjkmnpqrstvwxyz';

/** The operation's path with ids: from `ids` by prefix, else well-formed ids without a record. */
export function filledPath(
  { path, parameters }: DocumentedOperation,
  ids: Record<string, string> = {},
): string {
  return path.replace(/([^/]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    const choice = parameters.find((parameter) => parameter.name === name)?.schema?.enum?.[0];
    if (name === 'asset' || choice !== undefined) return `${segment}/${choice ?? 'USDC'}`;
    const prefix = PREFIXES[segment];
    // The deployment's own endpoints belong to no partner.
    if (path.startsWith('/alerts/')) return `${segment}/${ids['alert'] ?? `wh_${ABSENT}`}`;
    if (!prefix) throw new Error(`Which kind of id follows /${segment}/ in ${path}? Name it in PREFIXES.`);
    return `${segment}/${ids[prefix] ?? `${prefix}_${ABSENT}`}`;
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
