import type { OpenAPIObject } from '@nestjs/swagger';
import { ID_BODY, KIND_BY_PREFIX } from '../../domain/kernel/identifier.js';
import { pascalCase, refTo, type Schema, type Schemas } from './schema.js';

interface Parameter {
  name?: string;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: Schema; examples?: object }> }>;
}

type Parts = Record<string, unknown>;

/**
 * Names what a finished document repeats, in place: parameters, answers, envelopes and kinds of values become components, and their places refer
 * to them.
 */
export function share(document: OpenAPIObject): OpenAPIObject {
  const components = document.components as unknown as Record<string, Parts>;
  const operations = Object.values(document.paths).flatMap((item): Operation[] =>
    Object.values(item as Record<string, Operation>),
  );
  shareValues(document, components['schemas'] as Schemas);
  shareFields(components['schemas'] as Schemas);
  for (const { responses } of operations) nameEnvelopes(responses, components['schemas'] as Schemas);
  const answers = operations.flatMap(({ responses }) =>
    Object.entries(responses).map(([status, answer]) => ({
      in: responses,
      at: status,
      part: answer,
      name: codesOf(answer),
    })),
  );
  shareParts('responses', answers, components);
  const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
    all.map((part, at) => ({
      in: all,
      at,
      part,
      name: pascalCase(part.name ?? ''),
      owner: pascalCase(operationId),
    })),
  );
  shareParts('parameters', parameters, components);
  return document;
}

interface Place {
  in: object;
  at: string | number;
  part: object;
  name: string;
  /** Tells parts of one name apart. */
  owner?: string;
}

/** Parts that are the same in at least two places. Where several have one name, each has the name of its first operation before it. */
function shareParts(kind: string, places: readonly Place[], components: Record<string, Parts>): void {
  const inline = places.filter(({ part, name }) => name !== '' && !('$ref' in part));
  const repeated = [...Map.groupBy(inline, ({ part }) => JSON.stringify(part)).values()].filter(
    (same) => same.length > 1,
  );
  const variants = Map.groupBy(repeated, ([first]) => first!.name);
  for (const same of repeated) {
    const [{ name, owner = '', part }] = same as [Place];
    const isAlone = variants.get(name)!.length === 1 && !(name in components[kind]!);
    const named = isAlone ? name : `${owner}${name}`;
    components[kind]![named] = part;
    for (const place of same)
      Object.assign(place.in, { [place.at]: { $ref: `#/components/${kind}/${named}` } });
  }
  reorder(components[kind]!);
}

/** The codes of an error's answer; none of a success. */
const codesOf = ({ content = {} }: Operation['responses'][string]): string =>
  Object.keys(content['application/json']?.examples ?? {})
    .map(pascalCase)
    .join('Or');

/** Envelopes of successes: `PartnerPositionList`, `PartnerPositionAnswer`. */
function nameEnvelopes(responses: Operation['responses'], schemas: Schemas): void {
  const named = (schema: Schema): Schema => {
    const data = schema.properties?.['data'];
    const of = (data?.items ?? data)?.$ref;
    if (!of) return schema;
    const name = `${of.split('/').pop()!}${data!.items ? 'List' : 'Answer'}`;
    schemas[name] ??= schema;
    return JSON.stringify(schemas[name]) === JSON.stringify(schema) ? refTo(name) : schema;
  };
  for (const { content } of Object.values(responses)) {
    const json = content?.['application/json'];
    if (!json) continue;
    const { oneOf } = json.schema as { oneOf?: Schema[] };
    json.schema = oneOf ? { oneOf: oneOf.map(named) } : named(json.schema);
  }
}

/** Keywords by which values are of one kind. */
const KIND = ['type', 'format', 'pattern', 'enum'];

/** Kinds of values that at least three places have, and that have a name: ids, moments, assets, types of events. */
function shareValues(document: OpenAPIObject, schemas: Schemas): void {
  const found: { schema: Schema; kind: string; name: string }[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const schema = node as Schema;
    const name = kindName(schema);
    // What has no example does not get one: a filter would be tried with it.
    const kind = JSON.stringify([...KIND.map((keyword) => schema[keyword]), 'examples' in schema]);
    if (name) found.push({ schema, name, kind });
    for (const [key, child] of Object.entries(node))
      if (key !== 'example' && key !== 'examples') visit(child);
  };
  visit(document);
  for (const same of Map.groupBy(found, ({ name }) => name).values()) {
    const kinds = Map.groupBy(same, ({ kind }) => kind);
    const [most] = [...kinds.values()].toSorted((a, b) => b.length - a.length) as [typeof same];
    if (most.length < 3) continue;
    const { name, schema: first } = most[0]!;
    const shared: Schema = { ...pick(first, KIND), ...pick(first, ['examples']) };
    for (const { schema } of most) {
      const kept = Object.entries(schema).filter(
        ([keyword, value]) => JSON.stringify(shared[keyword]) !== JSON.stringify(value),
      );
      for (const keyword of Object.keys(schema)) delete schema[keyword];
      Object.assign(schema, refTo(name), Object.fromEntries(kept));
    }
    schemas[name] = shared;
  }
}

/** Below it, a reference is not much shorter. */
const WORTH_SHARING = 80;

/** Fields that several classes have alike. */
function shareFields(schemas: Schemas): void {
  const places = Object.entries(schemas).flatMap(([owner, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, part]) => JSON.stringify(part).length > WORTH_SHARING)
      .map(([at, part]) => ({ in: properties, at, part, name: pascalCase(at), owner })),
  );
  shareParts('schemas', places, { schemas });
}

const ID = new RegExp(`^\\^([a-z]+)_${ID_BODY.replace(/[[\]{}]/g, '\\$&')}\\$$`);

function kindName({ type, format, pattern, enum: choices }: Schema): string | undefined {
  const [first] = [type].flat();
  if (first !== 'string') return undefined;
  const suffix = Array.isArray(type) ? 'OrNull' : '';
  if (format === 'date-time' && pattern) return `Timestamp${suffix}`;
  if (typeof pattern === 'string') {
    if (pattern.startsWith('^(\\d{4})-(\\d\\d)-(\\d\\d)$|')) return `Moment${suffix}`;
    const kind = KIND_BY_PREFIX.get(ID.exec(pattern)?.[1] ?? '');
    if (kind) return `${pascalCase(kind)}Id${suffix}`;
  }
  if (choices?.includes('USDC')) return `Asset${suffix}`;
  if (choices?.includes('system.status')) return `EventType${suffix}`;
  return undefined;
}

const pick = (schema: Schema, keywords: readonly string[]): Schema =>
  Object.fromEntries(
    keywords.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]]),
  );

function reorder(parts: Parts): void {
  const entries = Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name] of entries) delete parts[name];
  Object.assign(parts, Object.fromEntries(entries));
}

/** The document with parameters, envelopes and kinds of values in their places, for programs that read fields one by one. */
export function inlined<T>(document: T): T {
  const { parameters = {}, schemas = {} } = (document as { components: Record<string, Parts> }).components;
  const visit = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(visit);
    const { $ref, ...beside } = node as { $ref?: string };
    const [, kind, name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec($ref ?? '') ?? [];
    if (kind === 'parameters') return visit(parameters[name]);
    const schema = kind === 'schemas' ? (schemas[name] as Schema) : undefined;
    const isClass = schema?.properties && !/(?:List|Answer)$/.test(name);
    if (schema && !isClass) return visit({ ...schema, ...beside });
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, visit(child)]));
  };
  return visit(document) as T;
}
