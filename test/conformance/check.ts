import { isDeepStrictEqual } from 'node:util';
import { codeOf, type Exchange, fieldsOf, isSuccess, summaryOf } from './exchange.js';

/** What a rule throws when the server breaks it. */
export class BrokenRule extends Error {
  constructor(
    message: string,
    /** The answer that shows it. */
    readonly exchange: Exchange | null = null,
  ) {
    super(message);
  }
}

/** What a rule throws when it cannot be asked of this server, and why. */
export class SkippedRule extends Error {}

export function holds(
  condition: boolean,
  message: string,
  exchange: Exchange | null = null,
): asserts condition {
  if (!condition) throw new BrokenRule(message, exchange);
}

export function equals(
  what: string,
  actual: unknown,
  expected: unknown,
  exchange: Exchange | null = null,
): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new BrokenRule(`${what} is ${shown(actual)}, and must be ${shown(expected)}`, exchange);
}

/** The fields that are expected are as expected; others may stand beside them. */
export function shows(what: string, actual: any, expected: object, exchange: Exchange | null = null): void {
  const same = Object.fromEntries(Object.keys(expected).map((field) => [field, actual?.[field]]));
  equals(what, same, expected, exchange);
}

export function matches(
  what: string,
  actual: unknown,
  pattern: RegExp,
  exchange: Exchange | null = null,
): void {
  if (typeof actual === 'string' && pattern.test(actual)) return;
  throw new BrokenRule(`${what} is ${shown(actual)}, and must match ${pattern.source}`, exchange);
}

/** @returns `data` of a success of that status */
export function dataOf(answer: Exchange, status: number): any {
  holds(answer.status === status, `${summaryOf(answer)}, and must answer ${status}`, answer);
  return answer.body?.data;
}

/** A field of every row. */
export const column = (rows: readonly any[], field: string): any[] => rows.map((row) => row[field]);

/** @returns the rows of a list that must have some: of none, every rule would hold */
export function rowsOf(answer: Exchange): any[] {
  const rows = dataOf(answer, 200);
  holds(Array.isArray(rows) && rows.length > 0, 'the list has no row', answer);
  return rows;
}

/** Refused with that status and code. */
export function refused(answer: Exchange, status: number, ...codes: string[]): void {
  const right = answer.status === status && codes.includes(codeOf(answer) ?? '');
  holds(right, `${summaryOf(answer)}, and must answer ${status} ${codes.join(' or ')}`, answer);
}

/** Refused for a field of the input, which the answer names. */
export function refusedField(answer: Exchange, field: string): void {
  refused(answer, 400, 'validation_failed');
  const named = fieldsOf(answer);
  holds(named.includes(field), `details name ${shown(named)}, and must name ${field}`, answer);
}

/** What was made on the way to a rule: any success will do, so that a rule fails for what it says. */
export function made(answer: Exchange): any {
  holds(isSuccess(answer), `could not be asked: ${summaryOf(answer)}`, answer);
  return answer.body?.data;
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
};
