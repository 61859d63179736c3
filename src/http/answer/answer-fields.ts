import type { Type } from '@nestjs/common';
import { OmitType } from '@nestjs/swagger';

/** Field of an answer, as its decorator declares it. */
export interface AnswerField {
  name: string;
  format?: string;
  enum?: unknown[];
  /** Class of the record or records that the field holds. */
  record?: () => Type<object>;
  isArray?: boolean;
  /** Marks of `src/http/openapi/schema.ts`. */
  [mark: string]: unknown;
}

const FIELDS = 'vaultline:answer_fields';

const ownFieldsOf = (prototype: object): readonly AnswerField[] =>
  (Reflect.getOwnMetadata(FIELDS, prototype) as AnswerField[] | undefined) ?? [];

/** Declares a field of the class of a prototype; what a class inherits comes first. */
export function declareField(prototype: object, field: AnswerField): void {
  Reflect.defineMetadata(FIELDS, [...ownFieldsOf(prototype), field], prototype);
}

/** Fields of a class of answers, in the order of its declaration; a field that is declared again keeps its place. */
export function fieldsOf(type: Type<object>): AnswerField[] {
  const fields = new Map<string, AnswerField>();
  const declare = (prototype: object | null): void => {
    if (prototype === null) return;
    declare(Object.getPrototypeOf(prototype) as object | null);
    for (const field of ownFieldsOf(prototype)) fields.set(field.name, field);
  };
  declare(type.prototype as object);
  return [...fields.values()];
}

/** Class of answers without some fields of another. */
export function omitFields<T extends object, const Name extends keyof T & string>(
  type: Type<T>,
  names: readonly Name[],
): Type<Omit<T, Name>> {
  const part = OmitType(type, names);
  for (const field of fieldsOf(type))
    if (!(names as readonly string[]).includes(field.name)) declareField(part.prototype as object, field);
  return part;
}
