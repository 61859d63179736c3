import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { DomainErrorCode } from '../../domain/domain-error.js';
import { Access, type AccessRule, GOES_ON } from '../access.js';
import type { EdgeErrorCode } from '../http-error.js';

/** Where an operation keeps its description until the document is made. */
export const OPERATION_EXTENSION = 'x-operation';

export interface OperationOptions {
  /** One line. */
  summary: string;
  /** What a partner's engineer needs to know; Markdown. Who may call is added. */
  description: string;
  access: Exclude<AccessRule, 'public'>;
  success: {
    status?: 200 | 201;
    /** The envelope's `object`; `list` answers with an array and `meta`. */
    object: string;
    /** Class of `data`, or of its elements in a list. */
    data: Type;
    description: string;
  };
  /** Errors beyond those that every operation of its kind has. */
  errors?: readonly (DomainErrorCode | EdgeErrorCode)[];
  /** In neither of the two contract documents. */
  extension?: boolean;
  /** A POST or PATCH that goes on while storage is nearly full: it can take a right away. */
  goesOn?: boolean;
  /** Its handler answers with the headers of `deprecation`. */
  deprecated?: boolean;
}

/** Declares an operation once: its access, its status, and all that OpenAPI says of it. Its `operationId` is the method's name. */
export function Operation(options: OperationOptions): MethodDecorator {
  const { summary, description, access, success, extension, deprecated } = options;
  return applyDecorators(
    Access(access),
    HttpCode(success.status ?? 200),
    ...(options.goesOn ? [SetMetadata(GOES_ON, true)] : []),
    ApiOperation({
      summary,
      description: [description, ...(extension ? [EXTENSION] : []), admission(access)].join('\n\n'),
      ...(deprecated && { deprecated }),
    }),
    ApiExtraModels(success.data),
    ApiExtension(OPERATION_EXTENSION, {
      access,
      success: { ...success, data: success.data.name },
      errors: options.errors ?? [],
    }),
    ...(extension ? [ApiExtension('x-extension', true)] : []),
  );
}

/** What the document builder reads back. */
export interface OperationExtension {
  access: Exclude<AccessRule, 'public'>;
  success: { status?: 200 | 201; object: string; data: string; description: string };
  errors: (DomainErrorCode | EdgeErrorCode)[];
}

const EXTENSION = '**Extension:** no contract document lists this operation.';

const admission = ({ scopes, partner }: Exclude<AccessRule, 'public'>): string =>
  `**Scope:** ${scopes.map((scope) => `\`${scope}\``).join(' or ')}${partner ? ', with a key that is bound to a partner' : ''}.`;
