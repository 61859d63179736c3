/** Choices for the days of a yield chart; the first is the default. */
export const SPANS = [
  ['14', '14 days'],
  ['3', '3 days'],
  ['30', '30 days'],
  ['180', '180 days'],
] as const;
