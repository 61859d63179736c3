/** Parts of the partners that a large ledger is verified by, one a night. */
export const SEVENTHS = 7;

/** Whether a partner's id is of a seventh, by its hash, which no version of PostgreSQL changes. @param seventh parameter; null: all are */
export const isOfSeventh = (partnerId: string, seventh: string): string =>
  `(${seventh}::int IS NULL OR ('x' || left(encode(sha256(convert_to(${partnerId}, 'UTF8')), 'hex'), 8))::bit(32)::bigint % ${SEVENTHS} = ${seventh}::int)`;
