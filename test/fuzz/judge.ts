import type { Answer } from '../support/api.js';
import type { Conformance } from '../support/conformance.js';
import { asCurl, type Call } from './call.js';

/** The expected answer to a call, beyond the rules for every answer. */
export interface Expected {
  /** A status, or the lowest and the highest of a range. */
  status?: number | readonly [number, number];
  code?: string | readonly string[];
  /** The field that every detail must name, itself or a part of it. */
  field?: string;
}

/** @throws Error with what is wrong with the answer, and the command that repeats the call */
export function judge(conformance: Conformance, call: Call, answer: Answer, expected: Expected = {}): void {
  const found = [...troublesOf(answer), ...unexpected(answer, expected)];
  try {
    conformance.check(call.method, call.target, answer);
  } catch (error) {
    found.push((error as Error).message);
  }
  if (found.length === 0) return;
  const told = answer.text.slice(0, 2_000);
  throw new Error(`${found.join('\n')}\n${answer.status} ${told}\n\n${asCurl(call).slice(0, 3_000)}`);
}

/** What no answer may contain, whatever the request was. */
export function troublesOf({ status, headers, body }: Answer): string[] {
  const requestId = headers.get('x-request-id');
  return [
    ...(status >= 500 ? [`a ${status}: nothing that is sent may break the server`] : []),
    ...(/^req_[0-9a-hjkmnp-tv-z]{26}$/.test(requestId ?? '') ? [] : [`X-Request-Id is ${requestId}`]),
    ...(headers.get('cache-control') === 'no-store' ? [] : ['Cache-Control is not no-store']),
    ...(status >= 400 && body?.error?.request_id !== requestId ? ['the body names another request'] : []),
    ...(headers.has('x-powered-by') ? ['tells what it is made with'] : []),
  ];
}

function unexpected({ status, body }: Answer, expected: Expected): string[] {
  const [least, most] =
    typeof expected.status === 'number' ? [expected.status, expected.status] : (expected.status ?? [0, 599]);
  const codes = expected.code === undefined ? null : [expected.code].flat();
  const code: string | undefined = body?.error?.code;
  const named: string[] = (body?.error?.details ?? []).map(({ field }: { field: string }) => field);
  const { field } = expected;
  const names =
    field === undefined ||
    (named.length > 0 && named.every((one) => one === field || one.startsWith(`${field}.`)));
  return [
    ...(status >= least && status <= most ? [] : [`expected a status of ${least} to ${most}`]),
    ...(codes === null || codes.includes(code ?? '') ? [] : [`expected ${codes.join(' or ')}`]),
    ...(names ? [] : [`expected details about ${field}, got ${named.join(', ') || 'none'}`]),
  ];
}
