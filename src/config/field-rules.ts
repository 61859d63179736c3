import { Transform, Type, type TypeOptions } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';

/** Error message of a rule, the same whichever of its parts failed: a refused value is one line. */
const allowed = (what: string, options: ValidationOptions = {}): ValidationOptions => ({
  ...options,
  message: `allowed is ${what}`,
});

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, key) =>
    decorators.forEach((decorate) => decorate(target, key));

export const Whole = (min: number, max: number): PropertyDecorator => {
  const said = allowed(`a whole number from ${min} to ${max}`);
  return all(IsInt(said), Min(min, said), Max(max, said));
};

export const Decimal = (min: number, max: number): PropertyDecorator => {
  const said = allowed(`a number from ${min} to ${max}`);
  return all(IsNumber({}, said), Min(min, said), Max(max, said));
};

/** Number between two bounds that are not allowed themselves. */
export const Inside = (above: number, below: number): PropertyDecorator => {
  const said = allowed(`a number above ${above} and below ${below}`);
  const validate = (value: unknown): boolean => (value as number) > above && (value as number) < below;
  return all(IsNumber({}, said), ValidateBy({ name: 'inside', validator: { validate } }, said));
};

/** Distinct numbers, with a limit on their count. */
export const Decimals = (min: number, max: number, most: number): PropertyDecorator => {
  const said = allowed(`a list of up to ${most} different numbers from ${min} to ${max}`);
  const each = { ...said, each: true };
  return all(
    IsArray(said),
    ArrayUnique(said),
    ArrayMaxSize(most, said),
    IsNumber({}, each),
    Min(min, each),
    Max(max, each),
  );
};

export const Text = (min: number, max: number): PropertyDecorator =>
  Length(min, max, allowed(`a text of ${min} to ${max} characters`));

/** Text of a format, described by `what`. */
export const Form = (form: RegExp, what: string): PropertyDecorator => Matches(form, allowed(what));

/** At least one, all distinct and of the format described by `what`. */
export const Forms = (form: RegExp, what: string): PropertyDecorator => {
  const said = allowed(what);
  const each = { ...said, each: true };
  return all(IsArray(said), ArrayMinSize(1, said), ArrayUnique(said), IsString(each), Matches(form, each));
};

/** Two distinct texts of a format; `what` describes the list. */
export const Pair = (form: RegExp, what: string): PropertyDecorator => {
  const said = allowed(what);
  return all(Forms(form, what), ArrayMinSize(2, said), ArrayMaxSize(2, said));
};

export const OneOf = (values: readonly string[], what = values.join(' or ')): PropertyDecorator =>
  IsIn([...values], allowed(what));

export const YesOrNo = (): PropertyDecorator => IsBoolean(allowed('true or false'));

/** Web address, in any network. */
export const WebAddress = (): PropertyDecorator =>
  IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false, disallow_auth: true },
    allowed('a URL of http or https, without a user or password'),
  );

/** Nested mapping. A list is refused explicitly, because an empty one would pass as nested. */
export const Section = (type: () => new () => object, options?: TypeOptions): PropertyDecorator => {
  const said = allowed('a mapping of keys to values');
  return all(IsObject(said), ValidateNested(said), Type(type, options));
};

/** List of mappings. */
export const Sections = (type: () => new () => object): PropertyDecorator => {
  const said = allowed('a list of mappings of keys to values');
  const each = { ...said, each: true };
  return all(IsArray(said), IsObject(each), ValidateNested(each), Type(type));
};

/** Amount: whole units in the file, micro-units as a bigint in the program. */
export const Money = (): PropertyDecorator =>
  all(
    Transform(({ value }: { value: unknown }) => microUnits(value) ?? value),
    ValidateBy(
      { name: 'money', validator: { validate: (value: unknown) => typeof value === 'bigint' } },
      allowed('an amount in whole units, not negative, with at most 6 decimals'),
    ),
  );

/** @returns micro-units of an amount in whole units, such as 2.5 or '2.5'; undefined for an invalid amount, or one with too many decimals */
export function microUnits(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, units, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(String(value)) ?? [];
  return units === undefined ? undefined : BigInt(units + decimals.padEnd(6, '0'));
}
