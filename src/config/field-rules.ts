import { Transform, Type } from 'class-transformer';
import { IsInt, IsNumber, IsObject, Max, Min, ValidateBy, ValidateNested } from 'class-validator';

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, key) =>
    decorators.forEach((decorate) => decorate(target, key));

export const Whole = (min: number, max: number): PropertyDecorator => all(IsInt(), Min(min), Max(max));

export const Decimal = (min: number, max: number, each = false): PropertyDecorator =>
  all(IsNumber({}, { each }), Min(min, { each }), Max(max, { each }));

/** A mapping of its own. A list is none, though an empty one would pass as nested. */
export const Section = (type: () => new () => object): PropertyDecorator =>
  all(IsObject(), ValidateNested(), Type(type));

/** Whole units in the file, micro-units as a bigint in the program. */
export const Money = (): PropertyDecorator =>
  all(
    Transform(({ value }: { value: unknown }) => microUnits(value) ?? value),
    ValidateBy({
      name: 'money',
      validator: {
        validate: (value: unknown) => typeof value === 'bigint',
        defaultMessage: (field) =>
          `${field?.property} must be an amount in whole units, not negative, with at most 6 decimals`,
      },
    }),
  );

/** @returns micro-units of an amount in whole units, such as 2.5 or '2.5'; undefined where it is none, or finer than they are */
export function microUnits(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, units, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(String(value)) ?? [];
  return units === undefined ? undefined : BigInt(units + decimals.padEnd(6, '0'));
}
