/** Headers that tell callers of a deprecated operation since when it is one, and what to call instead. */
export const deprecation = (since: Date, successor: string): Record<string, string> => ({
  Deprecation: `@${since.getTime() / 1000}`,
  Link: `<${successor}>; rel="successor-version"`,
});
