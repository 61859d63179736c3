import type { Type } from '@nestjs/common';
import { camelCase } from '../../config/spelling.js';
import { roundRate, toUnits } from '../../domain/kernel/money.js';
import { MARKS } from '../openapi/schema.js';
import { type AnswerField, fieldsOf } from './answer-fields.js';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Value of the domain behind a field: a moment is a `Date`, an amount a `bigint` in micro-units, a rate not rounded yet. */
type StoredValue<T> = T extends number
  ? number | bigint
  : T extends string
    ? T | (string extends T ? Date : never)
    : T extends readonly (infer Item)[]
      ? readonly StoredValue<Item>[]
      : T extends object
        ? StoredRecord<T>
        : T;

/** Record of the domain behind an answer: the same fields in camel case, without the constant `object`. */
type StoredRecord<View> = {
  [Field in keyof View as Field extends string ? CamelCase<Exclude<Field, 'object'>> : never]: StoredValue<
    View[Field]
  >;
};

type Convert = (value: unknown) => unknown;

function converterOf({ format, record, isArray, ...marks }: AnswerField): Convert {
  if (record) {
    const view = viewOf(record()) as Convert;
    return isArray ? (records) => (records as unknown[]).map(view) : view;
  }
  if (format === 'date-time') return (moment) => (moment as Date).toISOString();
  if (marks[MARKS.rate]) return (rate) => roundRate(rate as number);
  // The product throws for anything but a bigint: the compiler does not know the type.
  if (marks[MARKS.amount]) return (micro) => toUnits(1n * (micro as bigint));
  return (value) => value;
}

/**
 * View of a record of the domain as an answer, by the declaration of its class: it has the declared fields and no others.
 * @param derive computes the fields that the record does not have under their own names
 */
export function viewOf<View extends object>(type: Type<View>): (record: StoredRecord<View>) => View;
export function viewOf<
  View extends object,
  Derived extends Partial<View>,
  From extends StoredRecord<Omit<View, keyof Derived>>,
>(type: Type<View>, derive: (record: From) => Derived): (record: From) => View;
export function viewOf(type: Type<object>, derive: (record: object) => object = () => ({})) {
  let fields: readonly { name: string; key: string; constant: unknown; convert: Convert }[] | undefined;
  return (record: object): object => {
    fields ??= fieldsOf(type).map((field) => ({
      name: field.name,
      key: camelCase(field.name),
      constant: field.name === 'object' ? field.enum?.[0] : undefined,
      convert: converterOf(field),
    }));
    const derived = derive(record) as Record<string, unknown>;
    const view: Record<string, unknown> = {};
    for (const { name, key, constant, convert } of fields) {
      const value =
        constant ?? (name in derived ? derived[name] : stored((record as typeof view)[key], convert));
      if (value !== undefined) view[name] = value;
    }
    return view;
  };
}

const stored = (value: unknown, convert: Convert): unknown => (value == null ? value : convert(value));
