import { resolved, templateOf } from './document.js';

/** A number in an answer or event, with its documentation. */
export interface Field {
  /** `data[].apy` */
  at: string;
  name: string;
  value: number;
  description: string;
}

/**
 * Every number of an answer, or of an event that was sent, with its description.
 *
 * @param where the path of the request, relative to the API root; for a webhook, the event's type
 */
export function fieldsWithin(
  document: any,
  method: 'GET' | 'webhook',
  where: string,
  body: unknown,
): Field[] {
  const content =
    method === 'webhook'
      ? document.webhooks[where].post.requestBody.content
      : document.paths[templateOf(document, where)!].get.responses['200'].content;
  return [...numbersIn(document, content['application/json'].schema, body, '')];
}

function* numbersIn(document: any, node: any, value: any, at: string): Generator<Field> {
  // A description may stand beside a reference.
  const { $ref: _reference, ...beside } = node;
  const schema = { ...resolved(document, node), ...beside };
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    yield* numbersIn(document, part, value, at);
  if (typeof value === 'number' && [schema.type].flat().includes('number'))
    yield { at, name: at.replace(/^.*\./, ''), value, description: schema.description ?? '' };
  if (Array.isArray(value))
    for (const one of value) yield* numbersIn(document, schema.items ?? {}, one, `${at}[]`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, child] of Object.entries<any>(schema.properties ?? {}))
      yield* numbersIn(document, child, value[name], `${at}.${name}`);
}
