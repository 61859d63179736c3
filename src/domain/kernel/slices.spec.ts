import { expect, it } from '@jest/globals';
import { mapInTurns } from './slices.js';

const ROW_MS = 0.2;
const slow = (row: number): number => {
  for (const until = performance.now() + ROW_MS; performance.now() < until;);
  return row * 2;
};

it('A map in turns keeps the order of rows, and others have a turn after a millisecond of it', async () => {
  const rows = Array.from({ length: 100 }, (_, row) => row);
  let turns = 0;
  const count = (): void => {
    turns++;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  expect(await mapInTurns(rows, slow)).toEqual(rows.map((row) => row * 2));
  clearImmediate(turn);
  expect(turns).toBeGreaterThanOrEqual(10);
});

it('A map in turns of few quick rows takes no turn', async () => {
  let turned = false;
  const turn = setImmediate(() => (turned = true));
  expect(await mapInTurns([1, 2], (row) => row)).toEqual([1, 2]);
  clearImmediate(turn);
  expect(turned).toBe(false);
});
