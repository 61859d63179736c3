import type { OpenAPIObject } from '@nestjs/swagger';
import { MARKS, pascalCase, refTo, type Schema, type Schemas } from './schema.js';

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
 * Moves repeated parameters, answers and value schemas of a finished document into `components`, and replaces each occurrence by a `$ref`. Changes the
 * document in place.
 */
export function share(document: OpenAPIObject): OpenAPIObject {
  const components = document.components as unknown as Record<string, Parts>;
  const operations = Object.values(document.paths).flatMap((item): Operation[] =>
    Object.values(item as Record<string, Operation>),
  );
  shareValues(document, components['schemas'] as Schemas);
  reorder(components['schemas']!);
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
  /** Distinguishes parts of one name. */
  owner?: string;
}

/** Moves parts that occur at least twice into `components`. If different parts have one name, the id of the first operation precedes it. */
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

/** Codes of an error response; empty for a success. */
const codesOf = ({ content = {} }: Operation['responses'][string]): string =>
  Object.keys(content['application/json']?.examples ?? {})
    .map(pascalCase)
    .join('Or');

/** Keywords by which values are of one kind. */
const KIND = ['type', 'format', 'pattern', 'enum'];

/**
 * Makes a component of each kind of value that fields are marked with. Keywords that a field adds stay beside its reference.
 * @throws Error if fields of one mark have different schemas
 */
function shareValues(document: OpenAPIObject, schemas: Schemas): void {
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node))
      if (key !== 'example' && key !== 'examples') visit(child);
    const { [MARKS.kind]: mark, ...schema } = node as Schema & { [MARKS.kind]?: string };
    if (mark === undefined) return;
    const name = schema.type?.includes('null') ? `${mark}OrNull` : mark;
    const kind = pick(schema, KIND);
    schemas[name] ??= { ...kind };
    if (JSON.stringify(schemas[name]) !== JSON.stringify(kind))
      throw new Error(
        `Values of different kinds are called ${name}: ${JSON.stringify([schemas[name], kind])}`,
      );
    for (const keyword of [...KIND, MARKS.kind]) delete (node as Schema)[keyword];
    Object.assign(node, refTo(name));
  };
  visit(document);
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
