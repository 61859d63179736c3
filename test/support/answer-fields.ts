import { resolved, templateOf } from './document.js';

/** A number in an answer, with its documentation. */
export interface Field {
  /** `data[].apy` */
  at: string;
  name: string;
  value: number;
  description: string;
}

/** Every number of a documented success, but for those that a caller gave, with its description. */
export function numbersOf(
  document: any,
  { method, path, status, body }: { method: string; path: string; status: number; body: unknown },
): Field[] {
  const operation = document.paths[templateOf(document, path) ?? '']?.[method.toLowerCase()];
  const response = status < 300 && operation && resolved(document, operation.responses[status] ?? {});
  const schema = response?.content?.['application/json'].schema;
  return schema ? [...numbersIn(document, schema, body, '')] : [];
}

function* numbersIn(document: any, node: any, value: any, at: string): Generator<Field> {
  // A description may stand beside a reference.
  const { $ref: _reference, ...rest } = node;
  const schema = { ...resolved(document, node), ...rest };
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    yield* numbersIn(document, part, value, at);
  if (typeof value === 'number' && [schema.type].flat().includes('number'))
    yield { at, name: at.replace(/^.*\./, ''), value, description: schema.description ?? '' };
  if (Array.isArray(value))
    for (const item of value) yield* numbersIn(document, schema.items ?? {}, item, `${at}[]`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, child] of Object.entries<any>(schema.properties ?? {}))
      yield* numbersIn(document, child, value[name], `${at}.${name}`);
}
