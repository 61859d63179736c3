import { expect, it } from '@jest/globals';
import { type Gate, gateInWords } from './gate.js';

it.each([
  ['delta', 0.002494964906, 0.01, 'delta (0.25 pp against 1.00 pp)'],
  ['return', 4.25, 6, 'return (4.25 USDC against 6 USDC)'],
  ['gain', 2.739726, 3, 'gain (2.739726 USDC against 3 USDC)'],
  ['cost', 2, 1.5, 'cost (2 USDC against 1.5 USDC)'],
  ['index', -0.05, -0.01, 'index (-5 % against -1 %)'],
  ['outflow', -0.7, -0.5, 'outflow (-70 % against -50 %)'],
  ['promise', -4.739727, 2, 'promise (-4.739727 USDC against 2 USDC)'],
  ['net_gain', 0.955504, 1, 'net_gain (0.955504 USDC against 1 USDC)'],
  ['capacity', 26_000_000.5, 25_000_000, 'capacity (26000000.5 USDC against 25000000 USDC)'],
  ['time_in_vault', 1, 6, 'time_in_vault (1 hour against 6 hours)'],
  ['fresh', 30, 24, 'fresh (30 hours against 24 hours)'],
  ['fresh', null, 24, 'fresh (unknown against 24 hours)'],
  ['size', 4.2, 10, 'size (4.2 times against 10 times)'],
  ['share', 0.2, 0.15, 'share (20 % against 15 %)'],
  ['share', 0.201234, 0.15, 'share (20.12 % against 15 %)'],
  ['active', 0, 1, 'active'],
  ['history', 0, 1, 'history'],
] as const)('The gate %s with %p against %p is shown as: %s', (gate, value, threshold, told) =>
  expect(gateInWords({ gate, value, threshold, passed: false } satisfies Gate, 'USDC')).toBe(told),
);

it.each([
  ['delta', 0.0099999, 0.01, 'delta (0.99999 pp against 1.00000 pp)'],
  ['share', 0.150004, 0.15, 'share (15.0004 % against 15 %)'],
  ['size', 9.999999, 10, 'size (9.999999 times against 10 times)'],
] as const)(
  '%s: a value just beyond its threshold is shown with as many decimals as needed',
  (gate, value, threshold, told) =>
    expect(gateInWords({ gate, value, threshold, passed: false }, 'USDC')).toBe(told),
);

it('A value that was rounded to its threshold is shown equal to it', () =>
  expect(gateInWords({ gate: 'share', value: 0.15, threshold: 0.15, passed: false }, 'USDC')).toBe(
    'share (15 % against 15 %)',
  ));
