/** Rows that a sum over many records is split into, against hot rows: concurrent writers of one partner seldom lock the same one. */
export const SLOTS = 16;

const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Slot of a new record, 0..15, from the random last digit of its id. */
export function slotOf(id: string): number {
  return ID_DIGITS.indexOf(id.at(-1)!) % SLOTS;
}
