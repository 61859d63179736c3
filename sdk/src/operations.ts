import type { VaultlineOptions } from './options.js';

/** The part of generated paths that this file uses. */
type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths of a document that have the method. */
export type PathWith<Paths, V extends Verb> = {
  [Path in keyof Paths]: Paths[Path] extends Record<V, { responses: unknown }> ? Path : never;
}[keyof Paths] &
  string;

/** An operation, by its path and method. */
export type Operation<Paths, Path extends keyof Paths, V extends Verb> =
  Paths[Path] extends Record<V, infer Found> ? Found : never;

type Answer<Op> = Op extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201
        ? Responses[Status] extends { content: { 'application/json': infer Body } }
          ? Body
          : never
        : never;
    }[keyof Responses]
  : never;

/** The `data` of a success. */
export type Data<Op> = Answer<Op> extends { data: infer Found } ? Found : never;

/** A row of a list. */
export type Row<Op> = Data<Op> extends readonly (infer Found)[] ? Found : never;

/** The body of a request. */
export type Body<Op> = Op extends {
  requestBody?: { content: { 'application/json': infer Found } } | undefined;
}
  ? Found
  : never;

type Parameters<Op> = Op extends { parameters: { path: infer Found } } ? Found : never;
type Filter<Op> = Op extends { parameters: { query?: infer Found } } ? NonNullable<Found> : never;

/** The query of an operation. The size of a page is a number, however the document writes it. */
export type Query<Op> = {
  [Name in keyof Filter<Op>]: Name extends 'limit' ? number : Filter<Op>[Name];
};

/** The path parameters of a call, in the order of the path. */
export type PathArguments<Path extends string, Op> = Path extends `${string}/{asset}`
  ? Parameters<Op> extends { asset: infer Asset }
    ? [asset: Asset]
    : never
  : Path extends `${string}{${string}}${string}{${string}}${string}`
    ? [parentId: string, id: string]
    : Path extends `${string}{${string}}${string}`
      ? [id: string]
      : [];

type BodyArgument<Op> = Op extends { requestBody: { content: unknown } }
  ? [body: Body<Op>]
  : Op extends { requestBody?: never }
    ? []
    : [body?: Body<Op>];

/** Options of a single call, which override the client's. */
export interface RequestOptions extends Pick<
  VaultlineOptions,
  'maxRetries' | 'timeoutMs' | 'totalTimeoutMs'
> {
  /** Aborts the call, without retries: it fails with the signal's own reason. */
  signal?: AbortSignal;
}

export interface EffectOptions extends RequestOptions {
  /**
   * The Idempotency-Key. Default: a random one for each call, the same for its retries. Set your own to repeat a call after a restart of your
   * program.
   */
  idempotencyKey?: string;
}

/** `(…ids, options?)` */
export type Read<Path extends string, Op> = (
  ...input: [...PathArguments<Path, Op>, options?: RequestOptions]
) => Promise<Data<Op>>;

/** `(…ids, options?)`: the answer, whose body the caller reads. */
export type Download<Path extends string, Op> = (
  ...input: [...PathArguments<Path, Op>, options?: RequestOptions]
) => Promise<Response>;

/** `(…ids, query?, options?)` */
export type Find<Path extends string, Op, Result = Promise<Data<Op>>> = (
  ...input: [...PathArguments<Path, Op>, query?: Query<Op>, options?: RequestOptions]
) => Result;

/** `(…ids, body, options?)` */
export type Change<Path extends string, Op> = (
  ...input: [...PathArguments<Path, Op>, body: Body<Op>, options?: RequestOptions]
) => Promise<Data<Op>>;

/** `(…ids, body, options?)`, without a body where the operation takes none; with `split: true`, what may be split is answered with a list. */
export type Effect<Path extends string, Op> = [Extract<Data<Op>, readonly unknown[]>] extends [never]
  ? (
      ...input: [...PathArguments<Path, Op>, ...BodyArgument<Op>, options?: EffectOptions]
    ) => Promise<Data<Op>>
  : {
      (
        ...input: [...PathArguments<Path, Op>, body: Body<Op> & { split: true }, options?: EffectOptions]
      ): Promise<Extract<Data<Op>, readonly unknown[]>>;
      (
        ...input: [...PathArguments<Path, Op>, ...BodyArgument<Op>, options?: EffectOptions]
      ): Promise<Exclude<Data<Op>, readonly unknown[]>>;
    };
