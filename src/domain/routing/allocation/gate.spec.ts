import { expect, it } from '@jest/globals';
import { type Gate, gateInWords } from './gate.js';

it.each([
  ['delta', 0.002494964906, 0.01, 'Difference in rate (0.25 pp, must be at least 1.00 pp)'],
  ['return', 4.25, 6, 'Return (4.25 USDC, must be at least 6 USDC)'],
  ['gain', 2.739726, 3, 'Gain (2.739726 USDC, must be at least 3 USDC)'],
  ['cost', 2, 1.5, 'Cost (2 USDC, must be below 1.5 USDC)'],
  ['index', -0.05, -0.01, 'Index (-5 %, must be above -1 %)'],
  ['outflow', -0.7, -0.5, 'Outflow (-70 %, must be above -50 %)'],
  ['promise', -4.739727, 2, 'Promise (-4.739727 USDC, must be at least 2 USDC)'],
  ['net_gain', 0.955504, 1, 'Net gain (0.955504 USDC, must be at least 1 USDC)'],
  ['capacity', 26_000_000.5, 25_000_000, 'Capacity (26000000.5 USDC, must be at most 25000000 USDC)'],
  ['time_in_vault', 1, 6, 'Time in vault (1 hour, must be at least 6 hours)'],
  ['fresh', 30, 24, 'Fresh (30 hours, must be at most 24 hours)'],
  ['fresh', null, 24, 'Fresh (unknown, must be at most 24 hours)'],
  ['size', 4.2, 10, 'Size (4.2 times, must be at least 10 times)'],
  ['share', 0.2, 0.15, 'Share (20 %, must be at most 15 %)'],
  ['share', 0.201234, 0.15, 'Share (20.12 %, must be at most 15 %)'],
  ['active', 0, 1, 'Open (it takes no funds)'],
  ['history', 0, 1, 'History (too short to judge it)'],
] as const)('The gate %s with %p against %p is shown as: %s', (gate, value, threshold, told) =>
  expect(gateInWords({ gate, value, threshold, passed: false } satisfies Gate, 'USDC')).toBe(told),
);

it.each([
  ['delta', 0.0099999, 0.01, 'Difference in rate (0.99999 pp, must be at least 1.00000 pp)'],
  ['share', 0.150004, 0.15, 'Share (15.0004 %, must be at most 15 %)'],
  ['size', 9.999999, 10, 'Size (9.999999 times, must be at least 10 times)'],
] as const)(
  '%s: a value just beyond its threshold is shown with as many decimals as needed',
  (gate, value, threshold, told) =>
    expect(gateInWords({ gate, value, threshold, passed: false }, 'USDC')).toBe(told),
);

it('A value that was rounded to its threshold is shown equal to it', () =>
  expect(gateInWords({ gate: 'share', value: 0.15, threshold: 0.15, passed: false }, 'USDC')).toBe(
    'Share (15 %, must be at most 15 %)',
  ));
