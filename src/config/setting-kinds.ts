import { isIP } from 'node:net';
import { closest } from 'fastest-levenshtein';
import * as z from 'zod';
import { withTls } from './database-tls.js';
import { snakeCase } from './spelling.js';

declare module 'zod' {
  interface GlobalMeta {
    /** Allowed values as text, for error messages and the reference. */
    allowed?: string;
    /** Meaning of the setting, in the reference. */
    says?: string;
    /** Text of the reference for the default, if the default is not a constant. */
    unset?: string;
    /** A secret's value is never shown, and may stand in a file that `<NAME>_FILE` names. */
    secret?: boolean;
  }
}

/** Whichever part of a rule fails, a refused value is one line with the same words. */
export const ruled = <T extends z.ZodType>(allowed: string, make: (error: string) => T): T =>
  make(`it must be ${allowed}`).meta({ allowed });

/** Mapping that refuses unknown keys, each with the nearest known one; a line of the message for each. */
export function section<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, z.core.$strict> {
  const known = Object.keys(shape).map(snakeCase);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `the nearest is ${closest(snakeCase(key), known)}`).join('\n')
        : 'it must be a mapping of keys to values',
  });
}

const LIST = 'a list of mappings of keys to values';

export const sections = <T extends z.ZodRawShape>(shape: T): z.ZodArray<z.ZodObject<T, z.core.$strict>> =>
  ruled(LIST, (error) => z.array(section(shape), { error }));

export const whole = (min: number, max: number): z.ZodNumber =>
  ruled(`a whole number from ${min} to ${max}`, (error) =>
    z.int({ error }).min(min, { error }).max(max, { error }),
  );

export const decimal = (min: number, max: number): z.ZodNumber =>
  ruled(`a number from ${min} to ${max}`, (error) =>
    z.number({ error }).min(min, { error }).max(max, { error }),
  );

export const inside = (above: number, below: number): z.ZodNumber =>
  ruled(`a number above ${above} and below ${below}`, (error) =>
    z.number({ error }).gt(above, { error }).lt(below, { error }),
  );

export const decimals = (min: number, max: number, most: number): z.ZodArray<z.ZodNumber> =>
  ruled(`a list of up to ${most} different numbers from ${min} to ${max}`, (error) =>
    z
      .array(z.number({ error }).min(min, { error }).max(max, { error }), { error })
      .max(most, { error })
      .refine(areDifferent, { error }),
  );

export const areDifferent = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

export const text = (min: number, max: number): z.ZodString =>
  ruled(`a text of ${min} to ${max} characters`, (error) =>
    z.string({ error }).min(min, { error }).max(max, { error }),
  );

export const form = (pattern: RegExp, what: string): z.ZodString =>
  ruled(what, (error) => z.string({ error }).regex(pattern, { error }));

/** One or more different texts of a form; `what` describes the list. */
export const forms = (pattern: RegExp, what: string): z.ZodArray<z.ZodString> =>
  ruled(what, (error) =>
    z
      .array(z.string({ error }).regex(pattern, { error }), { error })
      .min(1, { error })
      .refine(areDifferent, { error }),
  );

/** Two different texts of a form. */
export const pair = (pattern: RegExp, what: string): z.ZodTuple<[z.ZodString, z.ZodString], null> =>
  ruled(what, (error) => {
    const form = z.string({ error }).regex(pattern, { error });
    return z.tuple([form, form], { error }).refine(areDifferent, { error });
  });

export const oneOf = <const T extends readonly string[]>(values: T) =>
  ruled(values.join(' or '), (error) => z.enum(values, { error }));

export const yesOrNo = (): z.ZodBoolean => ruled('true or false', (error) => z.boolean({ error }));

/** Amount: whole units in the file, micro-units as a bigint in the program. */
export const money = () =>
  ruled('an amount in whole units, not negative, with at most 6 decimals', (error) =>
    z.union([z.number(), z.string()], { error }).transform((value, context) => {
      const amount = microUnits(value);
      if (amount !== undefined) return amount;
      context.issues.push({ code: 'custom', message: error, input: value });
      return z.NEVER;
    }),
  );

/** @returns micro-units of an amount in whole units, such as 2.5 or '2.5'; undefined for an invalid amount, or one with too many decimals */
export function microUnits(value: number | string): bigint | undefined {
  const [, units, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(String(value)) ?? [];
  return units === undefined ? undefined : BigInt(units + decimals.padEnd(6, '0'));
}

// What follows is of the environment, whose values are texts.

export const wholeText = (min: number, max: number, unit = 'a whole number') =>
  ruled(`${unit} from ${min} to ${max}`, (error) =>
    z
      .string()
      .regex(/^\d{1,15}$/, { error })
      .transform(Number)
      .pipe(z.int({ error }).min(min, { error }).max(max, { error })),
  );

export const fractionText = () =>
  ruled('a fraction from 0 to 1', (error) =>
    z
      .string()
      .regex(/^\d(\.\d{1,9})?$/, { error })
      .transform(Number)
      .pipe(z.number().max(1, { error })),
  );

/** A value that has no default: null while it is not set. */
export const orNull = <T extends z.ZodType>(type: T): z.ZodDefault<z.ZodNullable<T>> =>
  type.nullable().default(null as never);

/** 32 bytes in base64. */
export const SECRETS_KEY_FORM = /^[A-Za-z0-9+/]{43}=$/;

export const secretsKey = (allowed: string) =>
  ruled(allowed, (error) =>
    z
      .string()
      .regex(SECRETS_KEY_FORM, { error })
      .transform((text) => Buffer.from(text, 'base64')),
  );

export const onOff = () =>
  ruled('on or off', (error) => z.stringbool({ truthy: ['on'], falsy: ['off'], case: 'sensitive', error }));

export const flagText = () =>
  ruled('true or false', (error) => z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], error }));

/** Base URL that others see, in the document and in log lines, without a slash at its end. */
export const webAddress = (example: string): z.ZodURL =>
  ruled(`a URL such as ${example}, without a user or password`, (error) =>
    z
      .url({ protocol: /^https?$/, error, abort: true })
      .refine(
        (url) => {
          const { username, password } = new URL(url);
          return username + password === '';
        },
        { error },
      )
      .overwrite((url) => url.replace(/(?<!\/)\/+$/, '')),
  );

/** The host is required: without one the driver would connect to this machine. */
export const databaseUrl = () =>
  ruled('a URL such as postgres://user:password@host:5432/vaultline', (error) =>
    z
      .url({ protocol: /^postgres(ql)?$/, error, abort: true })
      .refine(
        (text) => {
          const url = new URL(text);
          // An @ behind the host is one of a password that is not encoded.
          return (url.hostname !== '' || url.searchParams.has('host')) && !url.pathname.includes('@');
        },
        { error, abort: true },
      )
      .transform(withTls),
  );

/** Texts separated by commas or whitespace. */
export const listed = z.string().transform((raw) => raw.split(/[\s,]+/).filter(Boolean));

/** @param widest smallest allowed prefix length */
export const networks = (widest: number) =>
  ruled(
    `networks in CIDR notation, separated by commas, such as 10.1.0.0/16,fd12::/48${widest > 0 ? '; /0 is refused' : ''}`,
    (error) => listed.refine((entries) => entries.every((entry) => isNetwork(entry, widest)), { error }),
  );

/** An empty variable counts as absent, so the word `none` is an empty list. */
export const orNone = (networks: z.ZodType<string[], string>) => {
  const allowed = `none, or ${networks.meta()?.allowed}`;
  return ruled(allowed, (error) =>
    z.union([z.literal('none').transform((): string[] => []), networks], { error }),
  );
};

function isNetwork(entry: string, widest: number): boolean {
  const [base = '', bits = '', ...rest] = entry.split('/');
  const most = base.includes('%') ? undefined : { 4: 32, 6: 128 }[isIP(base)];
  return (
    rest.length === 0 &&
    most !== undefined &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) >= widest &&
    Number(bits) <= most
  );
}

export const webAddresses = (most: number) =>
  ruled(`up to ${most} different URLs of http or https, separated by commas`, (error) =>
    listed.refine(
      (urls) =>
        urls.every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) &&
        urls.length > 0 &&
        urls.length <= most &&
        areDifferent(urls),
      { error },
    ),
  );
