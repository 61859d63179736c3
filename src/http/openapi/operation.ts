import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { DomainErrorCode } from '../../domain/domain-error.js';
import { Access, type AccessRule, GOES_ON } from '../access/access.js';
import { ANSWER, type DeclaredAnswer } from '../answer/answers.js';
import type { Effect } from '../request/effect.js';
import type { EdgeErrorCode } from '../answer/http-error.js';
import type { Listed } from '../request/paging.js';

/** Where an operation keeps its description until the document is made. */
export const OPERATION_EXTENSION = 'x-operation';

export interface OperationOptions<Data extends object, Kind extends string, Once extends boolean> {
  /** One line. */
  summary: string;
  /** What a partner's engineer needs to know; Markdown. Who may call is added. */
  description: string;
  access: Exclude<AccessRule, 'public'>;
  success: {
    status?: 200 | 201;
    /** The envelope's `object`; `list` answers with an array and `meta`. */
    object: Kind;
    /** Class of `data`, or of its elements in a list. */
    data: Type<Data>;
    description: string;
  };
  /** Its handler returns an effect, which happens once an `Idempotency-Key`. Of every POST that has one, and of nothing else. */
  once?: Once;
  /** Errors beyond those that every operation of its kind has. */
  errors?: readonly (DomainErrorCode | EdgeErrorCode)[];
  /** In neither of the two contract documents. */
  extension?: boolean;
  /** A POST, PUT or PATCH that goes on while storage is nearly full: it stores nothing, or can take a right away. */
  goesOn?: boolean;
  /** Its handler answers with the headers of `deprecation`. */
  deprecated?: boolean;
}

/** What the handler of an operation returns. */
type Answer<Data extends object, Kind extends string, Once extends boolean> = Kind extends 'list'
  ? Listed<Data>
  : Once extends true
    ? Effect<Data>
    : Data;

/** Neither type has what the other one lacks. */
type Alike<Returned, Declared> = [Returned, Declared] extends [Declared, Returned]
  ? unknown
  : { 'the handler returns': Returned; 'and declares': Declared };

/** Takes no method but one that returns the answer, or a promise of it. */
type Answering<Expected> = <Handler extends (...given: never[]) => unknown>(
  target: object,
  name: string,
  method: TypedPropertyDescriptor<Handler> & Alike<Awaited<ReturnType<Handler>>, Expected>,
) => void;

/**
 * Declares an operation once: its access, its envelope and status, whether it happens once a key, and all that OpenAPI says of it. Its handler returns what
 * `success.data` is, or it does not compile; `Answers` does the rest. Its `operationId` is the method's name.
 */
export function Operation<Data extends object, const Kind extends string, const Once extends boolean = false>(
  options: OperationOptions<Data, Kind, Once>,
): Answering<Answer<Data, Kind, Once>> {
  const { summary, description, access, success, extension, deprecated } = options;
  return applyDecorators(
    Access(access),
    HttpCode(success.status ?? 200),
    SetMetadata(ANSWER, { status: success.status ?? 200, object: success.object } satisfies DeclaredAnswer),
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
      once: options.once ?? false,
      errors: options.errors ?? [],
    }),
    ...(extension ? [ApiExtension('x-extension', true)] : []),
  );
}

/** What the document builder reads back. */
export interface OperationExtension {
  access: Exclude<AccessRule, 'public'>;
  success: { status?: 200 | 201; object: string; data: string; description: string };
  once: boolean;
  errors: (DomainErrorCode | EdgeErrorCode)[];
}

const EXTENSION = '**Extension:** no contract document lists this operation.';

const admission = ({ scopes, partner, session, code }: Exclude<AccessRule, 'public'>): string =>
  [
    `**Scope:** ${scopes.map((scope) => `\`${scope}\``).join(' or ')}${partner ? ', with a key that is bound to a partner' : ''}`,
    ...(session === false ? ['; not with a session'] : []),
    ...(code ? ['; or no key, and a one-time code'] : []),
    '.',
  ].join('');
