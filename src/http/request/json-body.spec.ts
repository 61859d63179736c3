import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { faultsIn } from './json-body.js';

const fieldsOf = (text: string): string[] => [...faultsIn(text)].map(({ field }) => field);

describe('the fields that a check of a JSON body’s text reports', () => {
  it('The fields that a check of a JSON body’s text reports do not include any field of a text from JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2, '\t'), (value, space) => {
        expect(fieldsOf(JSON.stringify(value, null, space))).toEqual([]);
      }),
    );
  });

  it('The fields that a check of a JSON body’s text reports include a duplicate name with its path, however it is escaped', () => {
    expect(fieldsOf('{"a":1,"b":2,"a":3}')).toEqual(['a']);
    expect(fieldsOf('{"a":1,"\\u0061":2}')).toEqual(['a']);
    expect(fieldsOf('{"":1,"":2}')).toEqual(['']);
    expect(fieldsOf('{"__proto__":1,"__proto__":2}')).toEqual(['__proto__']);
    expect(fieldsOf('{"a":[0,{"b":{},"b":[]}],"c":{"d":1,"d":2}}')).toEqual(['a.1.b', 'c.d']);
    expect(fieldsOf('{"a":1,"a":2,"a":3}')).toEqual(['a', 'a']);
  });

  it('The fields that a check of a JSON body’s text reports do not include a name repeated in another object or in a string', () => {
    expect(fieldsOf('{"a":{"a":{"a":"a"}},"b":["a","a",{"a":1},{"a":2}],"c":"a"}')).toEqual([]);
    expect(fieldsOf('{"a":"}{][,:","b":"\\"a\\":1,\\"a\\":2","c":"\\\\"}')).toEqual([]);
    expect(fieldsOf('{"a":"1e400","b":"9007199254740993"}')).toEqual([]);
  });

  it('The fields that a check of a JSON body’s text reports include a number that a double cannot represent', () => {
    for (const number of [
      '1e400',
      '-1e400',
      '1e-400',
      '9007199254740993',
      '0.1000000000000000055511151231257827',
      '1.00000000000000000001',
      `1.${'0'.repeat(60_000)}1`,
    ])
      expect([number, ...fieldsOf(`{"a":[true,${number}]}`)]).toEqual([number, 'a.1']);
  });

  it('The fields that a check of a JSON body’s text reports do not include an exact number in another notation', () => {
    for (const number of [
      ...'0 -0 -0.0 0e999 1.50 1.500000000000000000000 15e-1 1E+2 100e-2'.split(' '),
      ...'0.30000000000000004 9007199254740992 9007199254740994 1e308 5e-324'.split(' '),
      ...'12345678901234500000000 0.000001 250.000000000000000000'.split(' '),
    ])
      expect([number, ...fieldsOf(`{"a":[true,${number}]}`)]).toEqual([number]);
  });

  it('The fields that a check of a JSON body’s text reports include each number unless its value is that of its double’s shortest notation', () => {
    const digits = fc
      .array(fc.nat(9), { minLength: 1, maxLength: 30 })
      .map((all) => all.join('').replace(/^0+(?=\d)/, ''));
    const decimal = fc
      .tuple(digits, fc.option(digits))
      .map(([whole, part]) => (part === null ? whole : `${whole}.${part}`));
    fc.assert(
      fc.property(decimal, (number) => {
        // Number scaled by 10 to the 30th, as a bigint, to compare exactly.
        const scaled = (text: string): bigint => {
          const [whole, part = ''] = text.split('.');
          return BigInt(whole! + part.padEnd(30, '0'));
        };
        const double = Number(number);
        const shortest = /e/.test(String(double)) ? BigInt(double).toString() : String(double);
        fc.pre(double < 1e21 && (double >= 1e-6 || double === 0));
        expect(fieldsOf(`{"a":${number}}`)).toEqual(scaled(number) === scaled(shortest) ? [] : ['a']);
      }),
      { numRuns: 1_000 },
    );
  });

  it('The fields that a check of a JSON body’s text reports end with the place at which a body has too many values or levels', () => {
    const lists = (depth: number): string =>
      `{"a":1,"a":2,"b":${'['.repeat(depth)}${']'.repeat(depth)},"a":3}`;
    const list = (length: number): string => `{"a":1,"a":2,"b":[${'true,'.repeat(length - 1)}true],"a":3}`;
    expect(fieldsOf(list(2_495))).toEqual(['a', 'a']);
    expect(fieldsOf(list(2_497))).toEqual(['a', 'body']);
    expect(fieldsOf(lists(15))).toEqual(['a', 'a']);
    expect(fieldsOf(lists(16))).toEqual(['a', `b${'.0'.repeat(15)}`]);
  });
});
