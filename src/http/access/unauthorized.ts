import type { Request } from 'express';
import type { CodeRefusal } from '../../domain/tenants/access/sign-in-code.service.js';
import { HttpError } from '../answer/http-error.js';

/** Error 401 with its `WWW-Authenticate` challenge. */
export function unauthorized(
  code: 'missing_api_key' | 'invalid_api_key' | 'wrong_environment',
  message: string,
): HttpError {
  return new HttpError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

const HOW_TO_SEND =
  'Send your API key in the header "Authorization: Bearer <API_KEY>", and nothing else in it.';

export const missingKey = (): HttpError => unauthorized('missing_api_key', HOW_TO_SEND);

/**
 * The API key of a request.
 * @throws HttpError `missing_api_key`, `invalid_api_key`
 */
export function secretOf(request: Request): string {
  if (isWithoutKey(request)) throw missingKey();
  const secret = /^Bearer +(\S+) *$/i.exec(request.headers.authorization!)?.[1];
  if (secret === undefined) throw unauthorized('invalid_api_key', HOW_TO_SEND);
  return secret;
}

export const isWithoutKey = ({ headers: { authorization = '' } }: Request): boolean =>
  /^(Bearer)?\s*$/i.test(authorization);

const CODE_REFUSALS: Record<CodeRefusal, string> = {
  malformed:
    'This is no one-time code, or not the whole of it. Follow the link once more, or ask for a new one.',
  foreign: 'This one-time code is of the other deployment. Follow the link to the one that it was made for.',
  unknown: 'This one-time code is not known here, or its key was revoked. Ask for a new link.',
  used: 'This one-time code was used before: it opens one session. Ask for a new link.',
  expired: 'This one-time code has expired: it is valid for ten minutes. Ask for a new link.',
};

export const codeRefused = (refusal: CodeRefusal): HttpError =>
  unauthorized('invalid_api_key', CODE_REFUSALS[refusal]);
