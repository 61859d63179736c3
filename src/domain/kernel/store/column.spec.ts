import { describe, expect, it } from '@jest/globals';
import { arrayText } from './column.js';

describe('the text of an array', () => {
  it('lists ids, numbers, times and nulls', () => {
    const values = [
      'pos_01kf03thr1e69b1gx4qyyr9v6f',
      10n ** 30n,
      -7,
      0.0525,
      1e-7,
      null,
      '2026-01-15T00:00:00.000Z',
    ];
    expect(arrayText(values)).toBe(
      '{pos_01kf03thr1e69b1gx4qyyr9v6f,1000000000000000000000000000000,-7,0.0525,1e-7,NULL,2026-01-15T00:00:00.000Z}',
    );
    expect(arrayText([])).toBe('{}');
  });

  it('quotes a text that reads NULL', () => {
    expect(arrayText(['NULL', 'null', 'NULLS', null])).toBe('{"NULL","null",NULLS,NULL}');
  });

  it.each(['a"b', 'a b', '{', '}', 'a\\b', 'a\nb'])('rejects %j, which needs quotes', (value) => {
    expect(() => arrayText(['a', value])).toThrow(RangeError);
  });

  it.each(['a,b', ''])('rejects %j, which would change the number of elements', (value) => {
    expect(() => arrayText(['a', value])).toThrow(RangeError);
  });
});
