import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOperation } from '@nestjs/swagger';
import type { DomainErrorCode } from '../../domain/kernel/domain-error.js';
import { Access, type AccessRule, type Changes, CHANGES, GOES_ON } from '../access/access.js';
import type { FileAnswer } from '../answer/answer-streams.js';
import { ANSWER, type DeclaredAnswer, type DeclaredFile, type SpanAnswer } from '../answer/envelope.js';
import type { EdgeErrorCode } from '../answer/http-error.js';
import { isIdempotent } from '../request/idempotent.decorator.js';
import type { ListPage } from '../request/paging.js';
import { EXTENSION_MARK } from './schema.js';

/** Where an operation keeps its description until the document is made. */
export const OPERATION_EXTENSION = 'x-operation';

interface OperationOptions<
  Data extends object,
  Kind extends string,
  Spans extends boolean,
  MayList extends boolean,
> {
  summary: string;
  /** Description for a partner's engineer; Markdown. Who may call it is added. */
  description: string;
  access: Exclude<AccessRule, 'public'>;
  success: {
    status?: 200 | 201;
    /** The envelope's `object`; `list` answers with an array and `meta`. */
    object: Kind;
    data: Type<Data>;
    /** The body decides whether the answer is one record or a list of them. */
    listed?: MayList;
    /** Field whose records are the lines of CSV, each with the other fields of the element of a list, or of the record. */
    lines?: string & keyof Data;
    description: string;
  };
  /** The handler returns a `Spanned`, whose `meta` says whether it ends before the time asked for. */
  spans?: Spans;
  /** Errors beyond those of every operation of its kind. */
  errors?: readonly (DomainErrorCode | EdgeErrorCode)[];
  /** Further errors in the live contract. */
  liveErrors?: readonly DomainErrorCode[];
  /** The operation is in neither of the two contract documents. */
  extension?: boolean;
  /** A write that stays available while storage is nearly full, because it stores nothing, or can revoke a right. */
  goesOn?: boolean;
  /** What a write changes that its path does not name. */
  changes?: Changes;
  /** The handler sends the headers of `deprecation`. */
  deprecated?: boolean;
}

/** Return type of an operation's handler. */
type Answer<
  Data extends object,
  Kind extends string,
  Spans extends boolean,
  MayList extends boolean,
> = Kind extends 'list'
  ? ListPage<Data>
  : Spans extends true
    ? SpanAnswer<Data>
    : MayList extends true
      ? Data | ListPage<Data>
      : Data;

/** Types are alike when neither has a field that the other lacks. */
type SameShape<Returned, Declared> = [Returned, Declared] extends [Declared, Returned]
  ? unknown
  : { 'the handler returns': Returned; 'and declares': Declared };

/** Decorator type that only accepts a method whose return type is the answer, or a promise of it. */
type HandlerDecorator<Expected> = <Handler extends (...given: never[]) => unknown>(
  target: object,
  name: string,
  method: TypedPropertyDescriptor<Handler> & SameShape<Awaited<ReturnType<Handler>>, Expected>,
) => void;

/**
 * Declares an operation once: access, envelope, status, and its part of OpenAPI; idempotency follows from a parameter with `@Idempotent`. A handler whose return type differs from `success.data`
 * does not compile. The method's name is the `operationId`.
 */
export function Operation<
  Data extends object,
  const Kind extends string,
  const Spans extends boolean = false,
  const MayList extends boolean = false,
>(
  options: OperationOptions<Data, Kind, Spans, MayList>,
): HandlerDecorator<Answer<Data, Kind, Spans, MayList>> {
  const { summary, description, access, success, extension, deprecated } = options;
  const decorate = (once: boolean): MethodDecorator & ClassDecorator =>
    applyDecorators(
      Access(access),
      HttpCode(success.status ?? 200),
      SetMetadata(ANSWER, {
        status: success.status ?? 200,
        object: success.object,
        data: success.data,
        lines: success.lines,
      } satisfies DeclaredAnswer),
      ...(options.changes ? [SetMetadata(CHANGES, options.changes)] : []),
      ...(options.goesOn ? [SetMetadata(GOES_ON, true)] : []),
      ApiOperation({
        summary,
        description: [description, admission(access)].join('\n\n'),
        ...(deprecated && { deprecated }),
      }),
      ApiExtraModels(success.data),
      ApiExtension(OPERATION_EXTENSION, {
        access,
        success: { ...success, data: success.data.name },
        once,
        spans: options.spans ?? false,
        errors: options.errors ?? [],
        liveErrors: options.liveErrors ?? [],
      }),
      ...(extension ? [ApiExtension(EXTENSION_MARK, true)] : []),
    );
  // Decorators of parameters run before those of their method.
  return (target, name, method) => decorate(isIdempotent(target, name))(target, name, method);
}

interface FileOptions extends Pick<
  OperationOptions<object, string, false, false>,
  'summary' | 'description'
> {
  access: Exclude<AccessRule, 'public'>;
  success: {
    /** Its media type. */
    file: string;
    description: string;
  };
  errors: readonly DomainErrorCode[];
}

/** Declares a read that answers with a file, an extension of the contract documents. HEAD has no body. */
export function FileOperation(options: FileOptions): HandlerDecorator<FileAnswer> {
  const { summary, description, access, success, errors } = options;
  return applyDecorators(
    Access(access),
    HttpCode(200),
    SetMetadata(ANSWER, { status: 200, file: success.file } satisfies DeclaredFile),
    ApiOperation({ summary, description: [description, admission(access)].join('\n\n') }),
    ApiExtension(OPERATION_EXTENSION, { access, success, once: false, spans: false, errors, liveErrors: [] }),
    ApiExtension(EXTENSION_MARK, true),
  );
}

export interface OperationExtension {
  access: Exclude<AccessRule, 'public'>;
  success: {
    status?: 200 | 201;
    object: string;
    data: string;
    listed?: boolean;
    lines?: string;
    /** Media type of a file, which has no envelope. */
    file?: string;
    description: string;
  };
  once: boolean;
  spans: boolean;
  errors: (DomainErrorCode | EdgeErrorCode)[];
  liveErrors: DomainErrorCode[];
}

const admission = ({ scopes, partner, session, code }: Exclude<AccessRule, 'public'>): string =>
  [
    `**Scope:** ${scopes.map((scope) => `\`${scope}\``).join(' or ')}${partner ? ", with a partner's key" : ''}`,
    ...(session === false ? ['; not with a session'] : []),
    ...(code ? ['; or no key, and a one-time code'] : []),
    '.',
  ].join('');

/**
 * Headers of a deprecated operation: since when it is deprecated, and its successor.
 * @param sunset when it will be removed (RFC 8594); null when no date is set
 */
export const deprecation = (
  since: Date,
  successor: string,
  sunset: Date | null = null,
): Record<string, string> => ({
  Deprecation: `@${since.getTime() / 1000}`,
  ...(sunset && { Sunset: sunset.toUTCString() }),
  Link: `<${successor}>; rel="successor-version"`,
});
