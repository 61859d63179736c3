/**
 * Headers of a deprecated operation: since when it is deprecated, and its successor.
 * @param sunset when it will be removed (RFC 8594); null when no date is set
 */
export const deprecation = (
  since: Date,
  successor: string,
  sunset: Date | null = null,
): Record<string, string> => ({
  Deprecation: `@${since.getTime() / 1000}`,
  ...(sunset && { Sunset: sunset.toUTCString() }),
  Link: `<${successor}>; rel="successor-version"`,
});
