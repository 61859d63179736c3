import { types } from 'node:util';
import { type Detail, DomainError, type DomainErrorCode } from './domain/domain-error.js';

/** Error between threads: a structured clone keeps neither the class of an error nor its own fields. */
export type ToldFailure =
  | {
      rule: {
        code: DomainErrorCode;
        message: string;
        details: readonly Detail[];
        retryAfterSeconds: number | null;
      };
    }
  | { error: { name: string; message: string; stack?: string; code?: string; routine?: string } };

/** Fields that are logged, or that tell an outage; no others, because an error may carry the parameters of a statement. */
export function tell(failure: unknown): ToldFailure {
  if (failure instanceof DomainError) {
    const { code, message, details, retryAfterSeconds } = failure;
    return { rule: { code, message, details, retryAfterSeconds } };
  }
  if (!types.isNativeError(failure)) return { error: { name: 'Error', message: String(failure) } };
  const { name, message, stack } = failure;
  return { error: { name, message, ...(stack && { stack }), ...codesOf(failure) } };
}

export function failureOf(told: ToldFailure): Error {
  if ('error' in told) return Object.assign(new Error(told.error.message), told.error);
  const { code, message, details, retryAfterSeconds } = told.rule;
  return new DomainError(code, message, details, retryAfterSeconds);
}

/** Error codes of PostgreSQL and the system. */
function codesOf(failure: Error): { code?: string; routine?: string } {
  const { code, routine } = failure as { code?: unknown; routine?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof routine === 'string' && { routine }),
  };
}
