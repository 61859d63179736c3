import { Transform } from 'class-transformer';
import { checksummedAddress, MOST_ACCOUNTS, READABLE_CHAINS } from '../../config/chains.js';
import { check, checkParts, isFraction, RESERVED_NAMES } from './field-rules.js';
import { ADDRESS, field, type FieldOptions } from './fields.js';

/** Limits of a free-form object: fields, and bytes of its JSON. */
const FREE_OBJECT = { keys: 50, bytes: 4096 };

/** Limits on metadata, with characters of a name, and levels of objects and lists, its own included. */
export const METADATA = { ...FREE_OBJECT, name: 40, depth: 4 };

/** Reads a free-form value from the raw input: class-transformer drops names such as `toString`, which a caller may well use. */
const AsSent = Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]);

const isFreeObject = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= FREE_OBJECT.keys &&
  Buffer.byteLength(JSON.stringify(value)) <= FREE_OBJECT.bytes;

const isMetadata = (value: unknown): boolean =>
  isFreeObject(value) &&
  Object.keys(value as object).every((name) => [...name].length <= METADATA.name) &&
  depthOf(value) <= METADATA.depth;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const freeObject = (maxProperties: number, propertyNames: object): object => ({
  type: 'object',
  additionalProperties: true,
  maxProperties,
  propertyNames: { ...propertyNames, not: { enum: RESERVED_NAMES } },
});

/** Metadata: any JSON values, within limits that JSON Schema cannot all express, so the description states them. */
export const MetadataField = ({
  description,
  ...options
}: Pick<FieldOptions, 'description' | 'default'>): PropertyDecorator =>
  field(
    {
      ...options,
      description: `${description} Any JSON values, nested at most ${METADATA.depth} levels deep, the object itself included; at most ${METADATA.bytes} bytes of JSON in UTF-8.`,
      optional: true,
      example: { tier: 'gold' },
    },
    freeObject(METADATA.keys, { type: 'string', maxLength: METADATA.name }),
    check(
      'metadata',
      `must be an object of at most ${METADATA.keys} fields with names of up to ${METADATA.name} characters, nested at most ${METADATA.depth} levels deep, and at most ${METADATA.bytes} bytes of JSON in UTF-8`,
      isMetadata,
    ),
    AsSent,
  );

/** Any JSON object of at most 50 fields and 4 KiB, stored unchanged. */
export const FreeObjectField = ({ description, ...options }: FieldOptions): PropertyDecorator =>
  field(
    { ...options, description: `${description} At most ${FREE_OBJECT.bytes} bytes of JSON in UTF-8.` },
    freeObject(FREE_OBJECT.keys, {}),
    check(
      'freeObject',
      `must be an object of at most ${FREE_OBJECT.keys} fields and ${FREE_OBJECT.bytes} bytes of JSON in UTF-8`,
      isFreeObject,
    ),
    AsSent,
  );

/** Fractions by name; without `names`, any. */
export const FractionsField = ({
  names,
  ...options
}: FieldOptions & { names?: readonly string[] }): PropertyDecorator =>
  field(
    options,
    {
      type: 'object',
      additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
      maxProperties: names?.length ?? FREE_OBJECT.keys,
      propertyNames: names ? { enum: [...names] } : { not: { enum: RESERVED_NAMES } },
    },
    check(
      'fractions',
      `must be an object with numbers from 0 to 1, of at most 6 decimals, under ${names ? `any of ${names.join(', ')}` : `up to ${FREE_OBJECT.keys} names`}`,
      (value) =>
        isFreeObject(value) &&
        Object.entries(value as object).every(
          ([name, fraction]) => isFraction(fraction) && (names?.includes(name) ?? true),
        ),
    ),
    AsSent,
  );

/** Lists of accounts by chain. */
export const CustodyAccountsField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    {
      type: 'object',
      properties: Object.fromEntries(
        READABLE_CHAINS.map((chain) => [
          chain,
          {
            type: 'array',
            items: { type: 'string', pattern: ADDRESS },
            minItems: 1,
            maxItems: MOST_ACCOUNTS,
            uniqueItems: true,
          },
        ]),
      ),
      additionalProperties: false,
    },
    checkParts(
      'custodyAccounts',
      `must be an object with up to ${MOST_ACCOUNTS} different addresses, in lower case or with their checksum (EIP-55), under any of ${READABLE_CHAINS.join(', ')}`,
      wrongAccounts,
    ),
    AsSent,
  );

/** Paths of chains whose list is wrong, and of wrong accounts in right lists. */
function wrongAccounts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [''];
  return Object.entries(value).flatMap(([chain, accounts]) => {
    const isList = Array.isArray(accounts) && accounts.length > 0 && accounts.length <= MOST_ACCOUNTS;
    if (!isList || !(READABLE_CHAINS as readonly string[]).includes(chain)) return [`.${chain}`];
    const texts = accounts.map((account: unknown) => (typeof account === 'string' ? account : ''));
    return texts.flatMap((account, index) => {
      const lower = account.toLowerCase();
      const isRepeated = texts.findIndex((other) => other.toLowerCase() === lower) < index;
      return isRepeated || checksummedAddress(account) === null ? [`.${chain}[${index}]`] : [];
    });
  });
}
