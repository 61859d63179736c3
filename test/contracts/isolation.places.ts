import type { TestApp } from '../support/app.js';
import { inlined } from '../../src/http/openapi/share.js';
import { type DocumentedOperation, documentedOperations, kindOf, resolved } from '../support/document.js';

/** A place of an operation that takes the id of a record. */
export interface Place {
  in: 'path' | 'query' | 'body';
  name: string;
  /** The kind of ids for the place: their prefix, but for ledger entries. */
  kind: string;
}

/** An operation with everything that a caller can send to it. */
export interface Surface extends DocumentedOperation {
  places: Place[];
  /** Names of its further query parameters. */
  queries: string[];
  /** Names of the fields of its body; empty where it takes no body. */
  fields: string[];
  takesBody: boolean;
  isList: boolean;
  /** Codes of the refusals (409, 422) that it documents. */
  refusals: string[];
}

/** Fields whose names end like those of ids, and that contain a text of the partner's own. */
const NO_IDS = new Set(['external_id']);
const NAME_OF_AN_ID = /(^|_)ids?$|[a-z]Ids?$/;
const SHAPE = /([a-z]+)_(?:[0-7][0-9a-hjkmnp-tv-z]{25}|\[0-7\]\[0-9a-hjkmnp-tv-z\]\{25\})/;

/**
 * Every operation that the running app documents, with the places of its ids.
 *
 * @throws Error for a place that looks like the place of an id and whose ids these tests do not have, so that a new one cannot be forgotten
 */
export async function surfacesOf(app: TestApp): Promise<Surface[]> {
  const document: any = inlined(await (await fetch(`${app.url}/openapi.json`)).json());
  const at = (node: any): any => resolved(document, node);
  const operations = await documentedOperations(app);
  // Operations on receivers of the deployment itself have no partner: `alerts.spec.ts` tests them.
  const ofPartners = operations.filter(({ path }) => !path.startsWith('/alerts/'));
  return ofPartners.map((operation) => {
    const raw = document.paths[operation.path][operation.method.toLowerCase()];
    const parameters: any[] = (raw.parameters ?? []).map(at);
    const body = at(raw.requestBody?.content['application/json'].schema);
    const fields = Object.entries<any>(body?.properties ?? {});
    for (const [name, schema] of fields) refuseNested(operation.name, name, at(schema), at);
    const places = [
      ...parameters.map(({ in: where, name, schema }) => placeOf(operation.name, where, name, schema)),
      ...fields.map(([name, schema]) => placeOf(operation.name, 'body', name, at(schema))),
    ].filter((location) => location !== null);
    const isPlace = (name: string): boolean => places.some((location) => location.name === name);
    const ofQuery = parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }): string => name);
    return {
      ...operation,
      places,
      queries: ofQuery.filter((name) => !isPlace(name)),
      fields: fields.map(([name]) => name).filter((name) => !isPlace(name)),
      takesBody: body !== undefined,
      isList: ofQuery.includes('cursor'),
      refusals: [409, 422].flatMap((status) =>
        Object.keys(at(raw.responses[status])?.content['application/json'].examples ?? {}),
      ),
    };
  });
}

function placeOf(operation: string, where: string, name: string, schema: any): Place | null {
  // A list of ids narrows a list, and one that is not the caller's is left out: tenants/users.spec.ts tests it.
  if (where === 'query' && name === 'ids') return null;
  const kind = kindOf(operation, schema);
  // Vaults belong to no partner.
  if (kind === 'vlt') return null;
  if (kind !== undefined) return { in: where as Place['in'], name, kind };
  if (NAME_OF_AN_ID.test(name) && !NO_IDS.has(name))
    throw new Error(`${operation} takes ${name}, which looks like an id: which kind? Give it an example.`);
  return null;
}

/** @throws Error where an id is nested: the tests expect ids at the top of a body, one a field */
function refuseNested(operation: string, path: string, schema: any, resolved: (node: any) => any): void {
  const below = [
    ...Object.entries<any>(schema?.properties ?? {}).map(([name, row]) => [`${path}.${name}`, row] as const),
    ...(schema?.items ? [[`${path}[]`, schema.items] as const] : []),
    ...[schema?.anyOf, schema?.oneOf, schema?.allOf].flatMap((some) =>
      (some ?? []).map((row: any) => [path, row] as const),
    ),
  ];
  const examples: unknown[] = schema?.examples ?? [];
  if (examples.some((example) => typeof example !== 'string' && SHAPE.test(JSON.stringify(example))))
    throw new Error(`${operation} takes ids within ${path}: these tests fill in single ones.`);
  for (const [at, row] of below) {
    const node = resolved(row);
    if (at !== path && placeOf(operation, 'body', at.replace(/.*\./, ''), node) !== null)
      throw new Error(`${operation} takes an id as ${at}: these tests fill in those at the top of a body.`);
    refuseNested(operation, at, node, resolved);
  }
}
