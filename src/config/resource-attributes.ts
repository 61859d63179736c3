/** Limits on the list: it is sent with each batch of spans. A key or value is up to 255 characters, as in OpenTelemetry's own SDK. */
const MOST_ATTRIBUTES = 64;
const MOST_CHARACTERS = 255;

export const RESOURCE_ATTRIBUTES_FORM = `up to ${MOST_ATTRIBUTES} different keys as key=value, separated by commas, each part percent-encoded and up to ${MOST_CHARACTERS} characters`;

/**
 * Parses a list in the format of W3C Baggage without metadata, by OpenTelemetry's specification of OTEL_RESOURCE_ATTRIBUTES: `,` and `=` within a key
 * or a value are percent-encoded.
 * @returns the attributes; undefined for a malformed list, of which the specification wants nothing to be used
 */
export function resourceAttributes(raw: string): Readonly<Record<string, string>> | undefined {
  const entries = raw
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map(attribute);
  const known = entries.filter((entry) => entry !== undefined);
  const keys = new Set(known.map(([key]) => key));
  return keys.size === entries.length && keys.size <= MOST_ATTRIBUTES ? Object.fromEntries(known) : undefined;
}

function attribute(entry: string): [string, string] | undefined {
  const parts = entry.split('=').map((part) => decoded(part.trim()));
  const [key, value] = parts;
  if (parts.length !== 2 || key === undefined || value === undefined || key === '') return undefined;
  return key.length <= MOST_CHARACTERS && value.length <= MOST_CHARACTERS ? [key, value] : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
