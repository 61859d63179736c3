/** Days that a chart of yields shows; the first unless another is chosen. */
export const SPANS = [
  ['14', '14 days'],
  ['3', '3 days'],
  ['30', '30 days'],
  ['180', '180 days'],
] as const;
