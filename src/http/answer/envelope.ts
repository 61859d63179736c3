/** The body of an answer that is no list. */
export const envelopeOf = (object: string, data: object): string => JSON.stringify({ object, data });
