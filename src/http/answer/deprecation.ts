/**
 * Headers that tell callers of a deprecated operation since when it is one, and what to call instead.
 *
 * @param sunset when it will be there no more (RFC 8594); null: no date is set
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
