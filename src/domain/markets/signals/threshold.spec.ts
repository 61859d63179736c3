import { describe, expect, it } from '@jest/globals';
import { armed, type YieldThresholdCrossing, crossThreshold, type Threshold } from './threshold.js';

const REARM = 0.0025;

/** Crossings of 5 % by consecutive values; the first value has no predecessor. */
function crossings(apys: readonly number[], rearm = REARM): YieldThresholdCrossing[] {
  let threshold: Threshold = armed(0.05);
  let previous: number | null = null;
  return apys.flatMap((apy) => {
    const next = crossThreshold(threshold, previous, apy, rearm);
    threshold = next.threshold;
    previous = apy;
    return next.crossing ?? [];
  });
}
const directions = (apys: readonly number[]) => crossings(apys).map(({ direction }) => direction);

/** Below 5 % by floating-point rounding alone. */
const ALMOST = 0.35 * 0.1 + 0.65 * (0.015 / 0.65);

describe('a threshold of 5 %', () => {
  it('A threshold of 5 % is crossed with the values before and after', () =>
    expect(crossings([0.04, 0.06, 0.03])).toEqual([
      { level: 0.05, direction: 'above', apy: 0.06, previousApy: 0.04 },
      { level: 0.05, direction: 'below', apy: 0.03, previousApy: 0.06 },
    ]));

  it.each<[string, number[], string[]]>([
    ['the first value', [0.06], []],
    ['a change to less', [0.04, 0.0499], []],
    ['a change to the level', [0.04, 0.05], ['above']],
    ['a change to almost the level', [0.04, ALMOST], ['above']],
    ['a change from almost the level', [ALMOST, 0.04], ['below']],
    ['a change down to the level', [0.06, 0.05], []],
    ['a change from the level', [0.05, 0.04], ['below']],
    [
      'a rise again after a return by less than the rearm distance',
      [0.04, 0.051, 0.0476, 0.051],
      ['above', 'below'],
    ],
    [
      'a rise again after a return by the rearm distance',
      [0.04, 0.051, 0.0475, 0.051],
      ['above', 'below', 'above'],
    ],
    [
      'a fall again after a return by less than the rearm distance',
      [0.06, 0.049, 0.0524, 0.049],
      ['below', 'above'],
    ],
    [
      'a fall again after a return by the rearm distance',
      [0.06, 0.049, 0.0525, 0.049],
      ['below', 'above', 'below'],
    ],
  ])('A threshold of 5 % is crossed as expected by %s (%j): %j', (_, apys, expected) =>
    expect(directions(apys)).toEqual(expected),
  );

  it('A threshold of 5 % without a rearm distance is crossed each time', () =>
    expect(crossings([0.049, 0.05, 0.049, 0.05, 0.049], 0)).toHaveLength(4));
});
