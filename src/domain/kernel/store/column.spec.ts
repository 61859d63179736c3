import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { types } from 'pg';
import { arrayText, instant, numbers, rowCount, UnreadableValueError, VALUE_TYPES } from './column.js';

describe('the text of an array', () => {
  it('The text of an array lists ids, numbers, times and nulls', () => {
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

  it('The text of an array quotes a text that reads NULL', () => {
    expect(arrayText(['NULL', 'null', 'NULLS', null])).toBe('{"NULL","null",NULLS,NULL}');
  });

  it.each(['a"b', 'a b', '{', '}', 'a\\b', 'a\nb'])(
    'The text of an array rejects %j, which needs quotes',
    (value) => {
      expect(() => arrayText(['a', value])).toThrow(RangeError);
    },
  );

  it.each(['a,b', ''])(
    'The text of an array rejects %j, which would change the number of elements',
    (value) => {
      expect(() => arrayText(['a', value])).toThrow(RangeError);
    },
  );
});

const TEXT_ARRAY = 1009;
const { BOOL, BYTEA, FLOAT8, INT4, INT8, JSON: JSON_TEXT, NUMERIC, TIMESTAMPTZ } = types.builtins;
const ours = (oid: number, text: string): unknown => VALUE_TYPES.getTypeParser(oid, 'text')(text);
const usual = (oid: number, text: string): unknown => types.getTypeParser(oid, 'text')(text);

/** As PostgreSQL writes an array of texts. */
const written = (texts: readonly (string | null)[]): string => {
  const parsed = (text: string | null): string => {
    if (text === null) return 'NULL';
    const isPlain = text !== '' && !/[{}",\\\s]/.test(text) && text.toUpperCase() !== 'NULL';
    return isPlain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
  };
  return `{${texts.map(parsed).join(',')}}`;
};

describe('values of the database', () => {
  it.each([
    ['2026-03-01 00:00:00+00', '2026-03-01T00:00:00.000Z'],
    ['2026-12-31 23:59:59.9+00', '2026-12-31T23:59:59.900Z'],
    ['2026-03-01 12:34:56.789+00', '2026-03-01T12:34:56.789Z'],
    ['2026-03-01 12:34:56.789999+00', '2026-03-01T12:34:56.789Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ])('%s is parsed as %s', (text, moment) => {
    expect(ours(TIMESTAMPTZ, text)).toEqual(new Date(moment));
  });

  it('A time with any millisecond is parsed exactly', () => {
    const moments = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(moments, (moment) => {
        const text = moment.toISOString().replace('T', ' ').replace('Z', '+00');
        expect(ours(TIMESTAMPTZ, text)).toEqual(moment);
      }),
    );
  });

  it.each([
    ...['infinity', '-infinity', '10000-01-01 00:00:00+00', '0044-03-15 12:00:00+00 BC'].map((text) => [
      TIMESTAMPTZ,
      text,
    ]),
    // DateStyle is SQL, German or Postgres; the zone is not UTC; there is no such time.
    ...['03/01/2026 12:34:56 UTC', '01.03.2026 12:34:56 UTC', 'Sun Mar 01 12:34:56 2026 UTC'].map((text) => [
      TIMESTAMPTZ,
      text,
    ]),
    ...['2026-03-01 12:34:56+02', '2026-03-01 12:34:56+05:30', '2026-13-01 00:00:00+00', ''].map((text) => [
      TIMESTAMPTZ,
      text,
    ]),
    ...['NaN', 'Infinity', '-Infinity', '', '1,5', '0x10'].flatMap((text) => [
      [FLOAT8, text],
      [NUMERIC, text],
    ]),
    ...['', '1.5', '1e3', '1 000', 'NULL'].flatMap((text) => [
      [INT4, text],
      [INT8, text],
    ]),
    ...['', 'TRUE', '1', 'null'].map((text) => [BOOL, text]),
    // bytea_output is escape, or digits are missing.
    ...['abc\\000', '\\x0', '\\x0g', ''].map((text) => [BYTEA, text]),
    ...['', 'NaN', '{'].map((text) => [JSON_TEXT, text]),
  ] as [number, string][])('A value of type %i that reads %j is refused', (oid, text) => {
    expect(() => ours(oid, text)).toThrow();
  });

  it('Numbers, truth values and bytes are those that PostgreSQL wrote', () => {
    expect([
      ours(FLOAT8, '1e-07'),
      ours(FLOAT8, '-0.05'),
      ours(INT4, '-7'),
      ours(BOOL, 't'),
      ours(BOOL, 'f'),
    ]).toEqual([1e-7, -0.05, -7, true, false]);
    expect([ours(INT8, '9223372036854775807'), ours(NUMERIC, '0.10')]).toEqual([
      '9223372036854775807',
      '0.10',
    ]);
    expect(ours(BYTEA, '\\x00ff')).toEqual(Buffer.from([0, 255]));
  });

  it('Times and numbers within JSON are refused where they are none', () => {
    for (const text of ['infinity', '', 'NaN', '44-03-15 BC'])
      expect(() => instant(text)).toThrow(UnreadableValueError);
    expect(instant('2026-03-01T00:00:00+00:00')).toEqual(new Date('2026-03-01T00:00:00Z'));
    const read = numbers().read as (list: unknown) => unknown;
    expect(read([1.5, null])).toEqual([1.5, null]);
    for (const value of ['NaN', 'Infinity', '1', true])
      expect(() => read([value])).toThrow(UnreadableValueError);
    expect(() => rowCount().read!('9223372036854775807')).toThrow(UnreadableValueError);
  });

  it('A text array is parsed back to its elements, whatever characters they contain', () => {
    const text = fc.oneof(
      fc.constantFrom('position.opened', 'NULL', 'null', '', 'a,b', '{', '}', '[1:2]={a}', 'x "y" \\z', 'ü'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.option(text)), (texts) => {
        expect(ours(TEXT_ARRAY, written(texts))).toEqual(texts);
      }),
    );
  });

  it('Nested arrays and arrays with bounds are parsed like by the driver', () => {
    for (const text of ['{{a,b},{c,d}}', '[0:1]={a,b}'])
      expect(ours(TEXT_ARRAY, text)).toEqual(usual(TEXT_ARRAY, text));
  });
});
