import { type Exchange, masked, requestIdOf } from './exchange.js';
import type { Result } from './session.js';

/** What a run found. */
export interface Report {
  url: string;
  contract: string;
  /** Names of what the run makes begin with it. */
  run: string;
  startedAt: Date;
  seconds: number;
  requests: number;
  results: readonly Result[];
  /** What could not be cleaned up, a line each. null: the report was written before the cleaning. */
  leftovers: readonly string[] | null;
}

/** What remains to be cleaned, by hand if need be. */
export const leftOf = ({ leftovers: leftovers, run }: Report): readonly string[] =>
  leftovers ?? [`The cleaning had not ended: partners and keys whose names begin with ${run} may be left.`];

export const countOf = ({ results }: Report, outcome: Result['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length;

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
// Characters that XML 1.0 does not know would make the whole report unreadable.
// eslint-disable-next-line no-control-regex
const UNKNOWN_TO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu;
export const escaped = (text: string): string =>
  masked(text)
    .replace(UNKNOWN_TO_XML, '\ufffd')
    .replace(/[&<>"']/g, (character) => ESCAPES[character]!);

const SHOWN_CHARACTERS = 20_000;
const cut = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}... (${text.length} characters)` : text;

/** A request and its answer as they went over the wire, without the credential. */
export function transcript(exchange: Exchange): string {
  const { method, path, caller, sent, status, headers, text } = exchange;
  const lines = (fields: Iterable<[string, string]>): string[] =>
    [...fields].map(([name, value]) => `${name}: ${value}`);
  return cut(
    [
      `${method} /api/v1${path}    (${caller})`,
      ...lines(Object.entries(sent.headers)),
      ...(sent.body === null ? [] : ['', sent.body]),
      '',
      `${status}    (request id ${requestIdOf(exchange) ?? 'none'})`,
      ...lines(headers),
      '',
      text,
    ].join('\n'),
  );
}
