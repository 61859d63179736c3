/** Partners are divided into seven groups, the sevenths 0 to 6. Of a large ledger, one seventh is verified each night. */
export const SEVENTHS = 7;

/** Condition on a partner: it is in a seventh, by the SHA-256 hash of its id, which no version of PostgreSQL changes. @param seventh parameter; null: any */
export const isOfSeventh = (partnerId: string, seventh: string): string =>
  `(${seventh}::int IS NULL OR ('x' || left(encode(sha256(convert_to(${partnerId}, 'UTF8')), 'hex'), 8))::bit(32)::bigint % ${SEVENTHS} = ${seventh}::int)`;
