import { type ValidationError, ValidationPipe } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import type { Detail } from '../../domain/kernel/domain-error.js';
import { fieldName, invalid, partPath, pathsOf } from './field-rules.js';

/** Validates bodies and queries against their class; an unknown field is refused, not dropped. */
export const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    // Passed explicitly: Nest would import them dynamically, and a bundle has no named exports of CommonJS packages.
    validatorPackage: classValidator,
    transformerPackage: classTransformer,
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    // Rules that bound the work come first: a list's length before its elements.
    stopAtFirstError: true,
    exceptionFactory: (errors) => invalid(detailsOf(errors, null))!,
  });

/** @param parent field that has them; null: the input itself */
function* detailsOf(errors: readonly ValidationError[], parent: string | null): Generator<Detail> {
  for (const { property, constraints = {}, contexts, value, children = [] } of errors) {
    const field = fieldName(parent === null ? property : partPath(parent, property, /^\d+$/.test(property)));
    for (const [rule, message] of Object.entries(constraints)) {
      if (rule === 'whitelistValidation') yield { field, message: 'is not a known field' };
      else if (value === undefined) yield { field, message: 'is required' };
      else
        for (const at of pathsOf(field, value, contexts?.[rule]))
          yield { field: fieldName(at), message: withoutName(message, property) };
    }
    yield* detailsOf(children, field);
  }
}

/** class-validator starts its messages with the property, which the error detail names already. */
const withoutName = (message: string, property: string): string =>
  message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
