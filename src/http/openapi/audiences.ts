import type { OpenAPIObject } from '@nestjs/swagger';
import { PARTNER_KEY_SCOPES, type Scope } from '../../domain/tenants/access/scope.js';

/** Kind of caller, by the scopes of its keys. */
export interface Audience {
  /** Name of its document: `/docs/<name>.json`. */
  name: string;
  /** Its entry in the choice of documents. */
  title: string;
  /** Who calls, for the introduction of its document. */
  callers: string;
  scopes: readonly Scope[];
  /** Operations that its introduction links, by id. */
  start: readonly string[];
  /** Types of the events that its endpoints receive. */
  events: 'all' | readonly string[];
}

/** In the order of the choice: the page opens with the first. */
export const AUDIENCES: readonly Audience[] = [
  {
    name: 'partner',
    title: "A partner's key",
    callers: 'a key that is bound to a partner',
    scopes: PARTNER_KEY_SCOPES,
    start: ['createUser', 'readPartnerSummary', 'createWebhook', 'listEvents'],
    events: 'all',
  },
  {
    name: 'general',
    title: 'A general key',
    callers: 'a key that is bound to no partner and administers nothing',
    scopes: ['read', 'write'],
    start: ['listSignals', 'readRegime', 'readYieldHistory'],
    events: [],
  },
  {
    name: 'administration',
    title: 'Administration',
    callers: "an administrator's key",
    scopes: ['keys:admin', 'partner:admin'],
    start: ['createPartner', 'createKey', 'getDeployment'],
    events: ['system.status'],
  },
];

interface Item {
  operationId: string;
  summary: string;
  tags?: string[];
  'x-required-scopes'?: readonly string[];
}

type NamedParts = Record<string, unknown>;

/** The operations that a kind of caller may call, and only the tags and components that they use. */
export function documentFor(audience: Audience, whole: OpenAPIObject): OpenAPIObject {
  const { scopes, callers, events } = audience;
  const { info, tags = [], paths, webhooks = {}, components = {}, ...rest } = whole;
  const ofAudience = ({ 'x-required-scopes': admitted = [] }: Item): boolean =>
    scopes.some((scope) => admitted.includes(scope));
  const called = Object.entries(paths)
    .map(([path, item]) => [path, pick(item as Record<string, Item>, ofAudience)] as const)
    .filter(([, item]) => Object.keys(item).length > 0);
  const sent = Object.entries(webhooks).filter(([type]) => events === 'all' || events.includes(type));
  const operations = called.flatMap(([, item]) => Object.values(item));
  const items = [...operations, ...sent.flatMap(([, item]) => Object.values(item) as Item[])];
  const named = new Set(operations.flatMap((item) => item.tags ?? []));
  return {
    ...rest,
    info: {
      ...info,
      description: `What ${callers} may call. ${startOf(audience, operations)}\n\n${info.description ?? ''}`,
    },
    tags: tags.filter(({ name }) => named.has(name)),
    paths: Object.fromEntries(called),
    ...(sent.length > 0 && { webhooks: Object.fromEntries(sent) }),
    components: used(components as Record<string, NamedParts>, items),
  };
}

/** Links to operations of Swagger UI's page, which opens each in a new tab: so they name the document too. */
function startOf({ title, start }: Audience, items: readonly Item[]): string {
  const links = start.map((id) => {
    const { summary, tags = [] } = items.find(({ operationId }) => operationId === id)!;
    const place = [...tags, id].map(encodeURIComponent).join('/');
    return `[${summary}](?urls.primaryName=${encodeURIComponent(title).replaceAll("'", '%27')}#/${place})`;
  });
  return `Start here: ${links.join(', ')}.`;
}

const pick = <T>(entries: Record<string, T>, isWanted: (value: T) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => isWanted(value)));

/** Components that the items reference, directly or through other components. */
function used(components: Record<string, NamedParts>, items: unknown): Record<string, NamedParts> {
  const found = new Set<string>();
  const follow = (node: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(node).matchAll(REFERENCE)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      follow(components[kind]![name]);
    }
  };
  follow(items);
  const { securitySchemes = {}, ...others } = components;
  const kept = Object.entries(others).map(([kind, parts]): [string, NamedParts] => [
    kind,
    Object.fromEntries(Object.entries(parts).filter(([name]) => found.has(`${kind}/${name}`))),
  ]);
  return { securitySchemes, ...Object.fromEntries(kept) };
}

const REFERENCE = /"#\/components\/(\w+)\/([\w-]+)"/g;
