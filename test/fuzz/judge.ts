import type { Answer } from '../support/api.js';
import type { Conformance } from '../support/conformance.js';
import { asCurl, type Call } from './call.js';

/** The expected answer to a call, beside what its document allows. */
interface Expected {
  status: number;
  codes?: readonly string[];
  /** The field that every detail must name, itself or a part of it. */
  field?: string;
}

/** @throws Error with what is wrong with the answer, and the command that repeats the call */
export function judge(conformance: Conformance, call: Call, answer: Answer, expected: Expected): void {
  const breach = unexpected(answer, expected);
  try {
    conformance.check(call.method, call.target, answer);
  } catch (error) {
    breach.push((error as Error).message);
  }
  if (breach.length === 0) return;
  const told = answer.text.slice(0, 2_000);
  throw new Error(`${breach.join('\n')}\n${answer.status} ${told}\n\n${asCurl(call).slice(0, 3_000)}`);
}

function unexpected({ status, body }: Answer, expected: Expected): string[] {
  const { codes, field } = expected;
  const code: string = body?.error?.code ?? '';
  const named: string[] = (body?.error?.details ?? []).map((detail: { field: string }) => detail.field);
  const isNamed =
    field === undefined ||
    (named.length > 0 &&
      named.every(
        (text) => text === field || /^[.[]/.test(text.startsWith(field) ? text.slice(field.length) : ''),
      ));
  return [
    ...(status === expected.status ? [] : [`expected ${expected.status}`]),
    ...(codes === undefined || codes.includes(code) ? [] : [`expected ${codes.join(' or ')}`]),
    ...(isNamed ? [] : [`expected details about ${field}, got ${named.join(', ') || 'none'}`]),
  ];
}
