import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { camelCase, camelCased, snakeCase } from './spelling.js';

describe('spelling of keys', () => {
  test('a key in snake case in a file is in camel case in the program', () => {
    expect(camelCase('body_limit_bytes')).toBe('bodyLimitBytes');
    expect(snakeCase('bodyLimitBytes')).toBe('body_limit_bytes');
  });

  test('a key in camel case in a file matches no key of the program', () => {
    expect(camelCase('bodyLimitBytes')).toBe('body_Limit_Bytes');
    expect(snakeCase('body_Limit_Bytes')).toBe('bodyLimitBytes');
  });

  test('every key of letters and underscores is the same after camelCase and snakeCase', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-zA-Z]*(_?[a-z]+|_[a-z]+[A-Z]?)*$/), (key) => {
        expect(snakeCase(camelCase(key))).toBe(key);
      }),
    );
  });

  test('keys of nested mappings and of mappings in lists are converted, values are not', () => {
    expect(camelCased({ risk_tiers: [{ low_risk: 'a_b', no: null }], deep_er: { in_side: 1 } })).toEqual({
      riskTiers: [{ lowRisk: 'a_b', no: null }],
      deepEr: { inSide: 1 },
    });
  });
});
