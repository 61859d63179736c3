import fc from 'fast-check';
import { isPeriod, kindOf } from '../support/document.js';
import type { Call } from './call.js';
import { isNullable, type Operation, type Schema, typeOf } from '../conformance/operations.js';
import type { World } from './world.js';

/** Valid input of an operation: body, query, and the ids of the path. */
export interface Input {
  path: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown> | null;
}

/** Rules of a policy that do not prevent the other operations. */
const HARMLESS: Record<string, (world: World) => fc.Arbitrary<unknown>> = {
  allowed_vaults: ({ pool }) => fc.shuffledSubarray(pool.vlt, { minLength: pool.vlt.length }),
  max_risk_tier: () => fc.constant('high'),
  min_gain: () => fc.integer({ min: 0, max: 1_000 }).map((n) => n / 1_000),
  paused: () => fc.constant(false),
  max_vault_exposure: () => fc.constant({ medium: 0.5 }),
  max_tier_exposure: () => fc.constant({ high: 0.25 }),
  max_venue_exposure: () => fc.constantFrom(null, {}),
};

const DAY_MS = 86_400_000;
const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((all) => all.join(''));
/** Midnight before the given number of days. */
const dayBefore = (days: number): Date => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS);

const timeBetween = (from: number, to: number): fc.Arbitrary<string> =>
  fc.integer({ min: from, max: to }).map((ms) => new Date(ms).toISOString());

/** Any text within a schema's length in code points that is not blank. */
function text({ minLength = 0, maxLength = 40, pattern }: Schema): fc.Arbitrary<string> {
  const maximum = Math.min(maxLength, 60);
  return fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength, maxLength: maximum }),
      fc.string({ unit: 'grapheme-ascii', minLength, maxLength: maximum }),
      fc.constant('x'.repeat(maxLength)),
    )
    .map((value) => [...value].slice(0, maxLength).join(''))
    .filter((value) => pattern !== '\\S' || /\S/.test(value));
}

/** Any JSON object, without the forbidden field names. */
const anyObject = fc
  .dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 10 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(value)));

/** Valid values of a schema, as it is documented; only the name of a field adds to it. */
export function valueOf(schema: Schema, name: string, world: World): fc.Arbitrary<unknown> {
  const meant = meaningOf(schema, name, world);
  return isNullable(schema) ? fc.oneof({ weight: 4, arbitrary: meant }, fc.constant(null)) : meant;
}

function meaningOf(schema: Schema, name: string, world: World): fc.Arbitrary<unknown> {
  const harmless = HARMLESS[name]?.(world);
  if (harmless) return harmless;
  const kind = kindOf('', schema);
  if (kind) return fc.constantFrom(...poolOf(world, kind));
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  switch (name) {
    case 'external_id':
      return fc.tuple(fc.uuid(), text({ maxLength: 60 })).map(([id, rest]) => `${id}${rest}`);
    case 'wallets':
      return fc.uniqueArray(
        digits(40).map((hex) => `0x${hex}`),
        { maxLength: 5 },
      );
    // A deployment with one custody refuses any account of a partner.
    case 'custody_accounts':
      return fc.constant({});
    case 'account':
    case 'wallet':
      return fc
        .tuple(digits(40), fc.boolean())
        .map(([hex, isUpper]) => `0x${isUpper ? hex.toUpperCase() : hex}`);
    // A chain on which the deployment's USDC is.
    case 'chain':
      return fc.constant('ethereum');
    case 'tx_hash':
      return digits(64).map((hex) => `0x${hex}`);
    case 'url':
      return fc.integer({ min: 0, max: 999 }).map((n) => `${world.receiver.url}/${n}`);
    case 'amount':
      return fc
        .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 999_999 }))
        .map(([units, micro]) => Number(`${units}.${String(micro).padStart(6, '0')}`));
    case 'types':
      return fc.constantFrom('system.status', 'position.opened,position.closed');
    // A rotation ends the previous secret at once.
    case 'previous_expires_in':
      return fc.constant(0);
    case 'points_multiplier':
      return fc.integer({ min: 100, max: 1000 }).map((hundredths) => hundredths / 100);
    // More hours would take time and test nothing further.
    case 'hours':
      return fc.integer({ min: 1, max: 2 });
    case 'starts_at':
      return timeBetween(0, Date.UTC(2029, 0));
    case 'ends_at':
      return timeBetween(Date.UTC(2030, 0), Date.UTC(9999, 0));
    case 'expires_at':
      return timeBetween(Date.now() + DAY_MS, Date.UTC(9999, 0));
    case 'from':
      return timeBetween(Date.now() - 60 * DAY_MS, Date.now() - 30 * DAY_MS);
    case 'to':
      // Uplift has the ends of closed days alone, and the world's clock may pass midnight.
      return fc.integer({ min: 1, max: 29 }).map((days) => dayBefore(days).toISOString());
    // The end of a day, whether it is closed or not.
    case 'as_of':
      return fc.constant(new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10));
  }
  return byType(schema, world);
}

function byType(schema: Schema, world: World): fc.Arbitrary<unknown> {
  switch (typeOf(schema)) {
    case 'integer':
      return fc.integer({ min: schema.minimum!, max: schema.maximum! });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.uniqueArray(valueOf(schema.items!, '', world), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems!, 10),
      });
    case 'object':
      return anyObject;
  }
  if (schema.format === 'email')
    return fc.stringMatching(/^[a-z0-9]{1,9}(\.[a-z0-9]{1,5})?@[a-z]{1,10}\.example$/);
  if (!schema.pattern || schema.pattern === '\\S') return text(schema);
  const pattern = new RegExp(schema.pattern);
  // An amount as a string has bounds that its pattern does not show.
  return pattern.test('1') ? fc.integer({ min: 1, max: 500 }).map(String) : fc.stringMatching(pattern);
}

/** Objects with some of the properties, and all required ones. */
function recordOf(schema: Schema, world: World): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    valueOf(property, name, world),
  ]);
  const values = Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>;
  return fc.record(values, { requiredKeys: schema.required ?? [], noNullPrototype: true });
}

/** Valid inputs of an operation, with the rules between fields that no schema expresses. */
export function inputOf(operation: Operation, world: World): fc.Arbitrary<Input> {
  const query = operation.parameters.filter(
    ({ in: where, name, schema }) =>
      where === 'query' &&
      name !== 'cursor' &&
      // Alert events belong to the deployment itself; the world has no ids of them.
      !(operation.path === '/alerts/events' && kindOf('', schema)),
  );
  const values = Object.fromEntries(
    query.map(({ name, schema }) => [
      name,
      kindOf(operation.path, schema) === 'entry'
        ? fc.constantFrom(...poolOf(world, 'entry'))
        : operation.operationId === 'readPartnerTrialBalance' && name === 'from'
          ? fc.integer({ min: 30, max: 60 }).map((days) => dayBefore(days).toISOString())
          : valueOf(schema, name, world).map(String),
    ]),
  );
  const requiredKeys = query.filter(({ required }) => required).map(({ name }) => name);
  return fc.record({
    path: pathOf(operation, world),
    query: fc.record(values, { requiredKeys, noNullPrototype: true }),
    body: operation.body
      ? recordOf(inOneTransaction(operation.body), world).map(agreed(operation))
      : fc.constant(null),
  });
}

/** Of a report on a move the form with one transaction, which no `required` of the schema says. */
function inOneTransaction({ properties = {}, required = [], ...schema }: Schema): Schema {
  if (!('transactions' in properties)) return { ...schema, properties, required };
  const { transactions: _, ...rest } = properties;
  return { ...schema, properties: rest, required: [...required, 'tx_hash', 'amount'] };
}

/** Rules between the fields of one body. */
const agreed =
  ({ operationId }: Operation) =>
  (body: Record<string, unknown>): Record<string, unknown> => {
    // The endpoint of the world subscribes to only this type.
    if (operationId === 'simulateEvent' && 'webhook_id' in body) return { ...body, type: 'system.status' };
    // A caller with a key may not send a code, nor ask for scopes that its key lacks.
    if (operationId === 'createSession') {
      const { code: _code, scopes: _scopes, ...rest } = body;
      return { ...rest, scopes: ['partner:read'] };
    }
    if (body['chain'] !== undefined && body['asset'] === 'USDT0') return { ...body, chain: 'arbitrum' };
    // The amount is a little less than the thousand that the move has.
    if (/^(reportMove|allocatePosition)/.test(operationId) && typeof body['amount'] === 'number')
      return { ...body, amount: Number((1_000 - body['amount']).toFixed(6)) };
    // The users of the world have one asset and no wallet; the withdrawals are of 10.
    if (/^(create|preview)Withdrawal$/.test(operationId)) {
      const { wallet: _wallet, ...rest } = body;
      return { ...rest, asset: 'USDC' };
    }
    // The world's clock is ahead of the calendar, and a time in a closed day is refused.
    if (operationId === 'settleInvoice') {
      const { at: _at, ...rest } = body;
      return rest;
    }
    if (operationId === 'reportWithdrawalPaid' && 'amount' in body) return { ...body, amount: 10 };
    if (operationId !== 'createKey') return body;
    const scopes = (body['scopes'] as string[] | undefined) ?? ['read'];
    const bound = body['partner_id'] !== undefined;
    const fitting = scopes.filter((scope) => (bound ? /read$/ : /^(?!partner:read)/).test(scope));
    return { ...body, scopes: fitting.length > 0 ? fitting : ['read'] };
  };

function pathOf(
  { operationId, path, parameters }: Operation,
  world: World,
): fc.Arbitrary<Record<string, string>> {
  const named = parameters.filter((parameter) => parameter.in === 'path');
  // A campaign must be named with its own partner.
  const ofFirst = path.includes('{campaignId}');
  return fc.record(
    Object.fromEntries(
      named.map(({ name, schema }) => {
        if (schema.enum) return [name, fc.constantFrom(...(schema.enum as string[]))];
        if (operationId === 'downloadPartnerPackage') return [name, fc.constant('2026-01')];
        if (isPeriod(schema)) return [name, fc.constantFrom('2026-01', '2026-01-31')];
        // A user with positions cannot be deleted, so an idle user is named.
        const ids = poolOf(world, operationId === 'deleteUser' ? 'idle' : kindOf(path, schema)!);
        return [name, fc.constantFrom(...(ofFirst && name === 'id' ? ids.slice(0, 1) : ids))];
      }),
    ),
    { noNullPrototype: true },
  );
}

/** @throws Error for a kind of record that the world has none of */
function poolOf({ pool }: World, kind: string): string[] {
  const ids = (pool as Partial<Record<string, string[]>>)[kind];
  if (!ids) throw new Error(`The world has no ids of the kind ${kind}: give its pool some.`);
  return ids;
}

/** Path and query as they are sent. */
function targetOf({ path }: Operation, input: Pick<Input, 'path' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path[name]!));
  const query = Object.entries(input.query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
}

/** The request of a caller: with an admitted key, and the body as JSON. */
export const callOf = (operation: Operation, input: Input, world: World): Call => ({
  method: operation.method,
  target: targetOf(operation, input),
  headers: {
    authorization: `Bearer ${world.keyOf(operation)}`,
    ...(input.body && { 'content-type': 'application/json' }),
  },
  ...(input.body && { body: JSON.stringify(input.body) }),
});
