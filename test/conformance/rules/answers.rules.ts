import { BrokenRule, holds } from '../check.js';
import { codeOf, type Exchange, isSuccess } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { numbersOf } from '../../support/answer-fields.js';
import { templateOf } from '../../support/document.js';

/** What is wrong with an answer. null: nothing. */
type Judge = (answer: Exchange, stage: Stage) => string | null;

/** Asks it of every answer of the run so far. */
const ofEvery =
  (judge: Judge) =>
  async (stage: Stage): Promise<void> => {
    await stage.sample();
    const wrong = stage.exchanges.flatMap((answer) => {
      const why = judge(answer, stage);
      return why === null ? [] : [{ answer, why }];
    });
    const [first] = wrong;
    if (first)
      throw new BrokenRule(
        `${wrong.length} of ${stage.exchanges.length} answers; the first: ${first.why}`,
        first.answer,
      );
  };

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECRET = /vl_(?:live|sandbox)_[0-9A-Za-z]{38}|whsec_[0-9A-Za-z+/]{43}=/;
/** Operations that show a secret, once: what creates one. */
const CREATES_SECRET =
  /^POST \/(keys|sessions|partners|webhooks|webhooks\/check|alerts\/webhooks|keys\/[^/]+\/rotate|webhooks\/[^/]+\/secret\/rotate)$/;

/** Every field of that name, with its value. */
function* fieldsNamed(node: unknown, name: RegExp): Generator<[string, unknown]> {
  if (Array.isArray(node)) for (const row of node) yield* fieldsNamed(row, name);
  else if (typeof node === 'object' && node !== null)
    for (const [key, value] of Object.entries(node)) {
      if (key === 'metadata') continue;
      if (name.test(key)) yield [key, value];
      yield* fieldsNamed(value, name);
    }
}

/** Decimals of a number as JSON writes it. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}
const isRate = ({ name, description }: { name: string; description: string }): boolean =>
  /apy$|^(share|uplift_pct|value|index)$/.test(name) || /fraction/.test(description);

/** A number of more than six decimals, with the name of its field. */
const LONG_NUMBER = /"(\w+)":-?\d+(?:\.\d{7,}|(?:\.\d+)?e-)/g;
const TOO_LONG = /\.\d{13,}/;

/** Whether it has a body in JSON: an answer to HEAD has none, a list may be asked for as CSV, and a closing package is a ZIP. */
const isJson = (answer: Exchange): boolean =>
  answer.method !== 'HEAD' &&
  !(isSuccess(answer) && (answer.sent.headers['accept'] === 'text/csv' || answer.path.endsWith('/package')));

const envelope: Judge = (answer) => {
  if (!isJson(answer)) return null;
  const { body, headers } = answer;
  if (!/^application\/json\b/.test(headers.get('content-type') ?? '')) return 'it is not sent as JSON';
  if (!isSuccess(answer)) {
    const { error, ...rest } = body ?? {};
    if (Object.keys(rest).length > 0 || typeof error?.code !== 'string')
      return 'it is not {error: {code, message}}';
    if (!/^\s*\S.{9,}[.]$/s.test(String(error.message))) return 'its message is no sentence';
    return error.request_id === headers.get('x-request-id')
      ? null
      : 'its error.request_id is not its X-Request-Id';
  }
  if (typeof body?.object !== 'string' || body.data === undefined) return 'it is not {object, data}';
  if (body.object !== 'list') return null;
  if (!Array.isArray(body.data)) return 'it is a list whose data is no array';
  if (typeof body.meta?.has_more !== 'boolean') return 'it is a list without meta.has_more';
  const hasCursor = typeof body.meta.next_cursor === 'string' && body.meta.next_cursor !== '';
  if (hasCursor !== body.meta.has_more) return 'its next_cursor is not there exactly where more follows';
  return null;
};

export const answersRules = rulesOf('answers', {
  'request-id': [
    'Every response has a unique X-Request-Id: req_ and 26 characters.',
    async (stage) => {
      const visited = new Set<string>();
      await ofEvery(({ headers }) => {
        const id = headers.get('x-request-id');
        if (id === null) return 'it has no X-Request-Id';
        if (!/^req_[0-9a-hjkmnp-tv-z]{26}$/.test(id)) return `its X-Request-Id is ${id}`;
        if (visited.has(id)) return `its request id ${id} is that of an earlier answer`;
        visited.add(id);
        return null;
      })(stage);
    },
  ],
  'request-id-own': [
    'The server generates the request id, and ignores an X-Request-Id of the caller.',
    async (stage) => {
      const answer = await stage.admin.get('/keys?limit=1', { 'x-request-id': 'of-the-caller' });
      holds(answer.headers.get('x-request-id') !== 'of-the-caller', "the caller's id was taken over", answer);
    },
  ],
  'no-store': [
    'Every response has Cache-Control: no-store.',
    ofEvery(({ headers }) =>
      headers.get('cache-control') === 'no-store'
        ? null
        : `its Cache-Control is ${headers.get('cache-control')}`,
    ),
  ],
  envelope: [
    'Every success is {object, data}, every list has meta, and every error is {error} with code, message and request id.',
    ofEvery(envelope),
  ],
  documented: [
    'Every response matches the OpenAPI document: status, error code, headers and fields, without undocumented fields.',
    ofEvery((answer, { check }) => {
      if (!isJson(answer)) return null;
      const problems = check.problems(answer.method, answer.path, answer);
      return problems.length === 0 ? null : problems.slice(0, 5).join('; ');
    }),
  ],
  'no-failure': [
    'No request of the run, valid or not, gets a 5xx.',
    ofEvery(({ status }) => (status < 500 ? null : 'the server failed')),
  ],
  'secret-once': [
    'A secret is in the response that creates it, and in no other.',
    ofEvery((answer) =>
      SECRET.test(answer.text) &&
      !(isSuccess(answer) && CREATES_SECRET.test(`${answer.method} ${answer.path}`))
        ? 'a secret stands in it in full'
        : null,
    ),
  ],
  times: [
    'Every time is in UTC, ISO 8601, with milliseconds.',
    ofEvery(({ body }) => {
      for (const [name, value] of fieldsNamed(body?.data, /(^at$|_at$|^as_of$)/))
        if (value !== null && !(typeof value === 'string' && TIME.test(value)))
          return `its ${name} is ${JSON.stringify(value)}`;
      return null;
    }),
  ],
  decimals: [
    'A rate has at most 12 decimals, any other number at most 6.',
    (stage) => {
      /** Names of longer numbers by operation, of which none was wrong so far. */
      const fieldNames = new Set<string>();
      return ofEvery((answer, { document }) => {
        const operation = `${answer.method} ${templateOf(document, answer.path)}`;
        const long = [...answer.text.matchAll(LONG_NUMBER)].map(([, name]) => `${operation} ${name}`);
        if (long.every((name) => fieldNames.has(name)) && !TOO_LONG.test(answer.text)) return null;
        const wrong = numbersOf(document, answer).find(
          (number) => decimalsOf(number.value) > (isRate(number) ? 12 : 6),
        );
        if (wrong) return `${wrong.at} is ${wrong.value}`;
        for (const name of long) fieldNames.add(name);
        return null;
      })(stage);
    },
  ],
  'no-trace': [
    'No error shows internals of the server: no stack trace, SQL or file path.',
    ofEvery((answer) =>
      codeOf(answer) !== undefined &&
      (/\\n\s+at \S|node_modules|\/src\//.test(answer.text) ||
        (/\bSELECT\b/.test(answer.text) && /\bFROM\b/.test(answer.text)))
        ? 'it shows the inside of the server'
        : null,
    ),
  ],
});
