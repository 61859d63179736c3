import { type ValidationError, ValidationPipe } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import type { Detail } from '../../domain/domain-error.js';
import { fieldName } from './field-rules.js';
import { HttpError } from '../answer/http-error.js';

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
    exceptionFactory: (errors) =>
      new HttpError('validation_failed', 'The request is not valid; see details.', {
        details: errors.flatMap((error) => detailsOf(error, '')).slice(0, 20),
      }),
  });

function detailsOf(error: ValidationError, prefix: string): Detail[] {
  const field = fieldName(`${prefix}${error.property}`);
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => {
    if (rule === 'whitelistValidation') return { field, message: 'is not a known field' };
    return {
      field,
      message: error.value === undefined ? 'is required' : withoutName(message, error.property),
    };
  });
  return [...own.slice(0, 1), ...(error.children ?? []).flatMap((child) => detailsOf(child, `${field}.`))];
}

/** class-validator starts its messages with the property, which the error detail names already. */
const withoutName = (message: string, property: string): string =>
  message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
