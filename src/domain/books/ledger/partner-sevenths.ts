import { DAY_MS } from '../../kernel/clock.js';

const SEVENTHS = 7;

/** Seventh of the partners that the night of a day verifies, so that a week verifies each partner once. */
export const seventhOf = (day: Date): number => Math.floor(day.getTime() / DAY_MS) % SEVENTHS;

/** Whether a partner's id is of a seventh, by its hash, which no version of PostgreSQL changes. @param seventh parameter; null: all are */
export const isOfSeventh = (partnerId: string, seventh: string): string =>
  `(${seventh}::int IS NULL OR ('x' || left(encode(sha256(convert_to(${partnerId}, 'UTF8')), 'hex'), 8))::bit(32)::bigint % ${SEVENTHS} = ${seventh}::int)`;

/** Like it, for rows of which each partner has many: the partners are hashed once. */
export const hasPartnerOfSeventh = (partnerId: string, seventh: string): string =>
  `(${seventh}::int IS NULL OR ${partnerId} IN (SELECT id FROM partners WHERE ${isOfSeventh('id', seventh)}))`;
