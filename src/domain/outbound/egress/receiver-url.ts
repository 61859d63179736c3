const MAX_LENGTH = 2_048;
const ABSOLUTE_HTTP = /^https?:\/\/[^/?#]/i;
const INVISIBLE_OR_BACKSLASH = /[\p{Cc}\p{Z}\s\\]/u;

/** Malformed receiver URL. `message` is a sentence that tells its author what to write instead. */
export class MalformedUrlError extends Error {
  override readonly name = 'MalformedUrlError';
}

/**
 * Parses a receiver URL with the WHATWG parser, the one that sends use, so that a text has one meaning. Everything that the parser would silently
 * repair (tabs, backslashes, missing slashes, escapes in the host) is refused, so that a partner who meant something else learns of it.
 * @returns an http or https URL without credentials and fragment, at most 2,048 characters as given and as serialised
 * @throws MalformedUrlError
 */
export function parseReceiverUrl(text: string): URL {
  if (text.length > MAX_LENGTH) throw tooLong();
  if (INVISIBLE_OR_BACKSLASH.test(text)) {
    throw new MalformedUrlError(
      'The URL must not contain spaces, line breaks, control characters or backslashes.',
    );
  }
  if (!ABSOLUTE_HTTP.test(text)) {
    throw new MalformedUrlError('The URL must be absolute and start with https:// or http:// and a host.');
  }
  if (text.includes('#'))
    throw new MalformedUrlError('The URL must not have a fragment: remove everything from the # on.');
  const [authority = ''] = text.slice(text.indexOf('//') + 2).split(/[/?]/, 1);
  if (authority.includes('@')) {
    throw new MalformedUrlError(
      'The URL must not carry credentials: verify the signature of each delivery instead.',
    );
  }
  if (authority.includes('%')) {
    throw new MalformedUrlError('The host must be written without percent escapes and without a zone id.');
  }
  if (!URL.canParse(text)) throw new MalformedUrlError('The URL is not valid: check its host and port.');
  const url = new URL(text);
  if (url.href.length > MAX_LENGTH) throw tooLong();
  return url;
}

function tooLong(): MalformedUrlError {
  return new MalformedUrlError('The URL must be at most 2,048 characters long, with all characters escaped.');
}
