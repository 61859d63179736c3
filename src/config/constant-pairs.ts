import type { Problem } from './config-files.js';
import { snakeCase } from './spelling.js';

/** Two constants of which the first must be smaller than the second, or at most as large. */
interface PairRule {
  key: string;
  allowed: 'at most' | 'less than';
  other: string;
}

const PAIRS: readonly PairRule[] = [
  { key: 'routing.horizonDays', allowed: 'at most', other: 'routing.lastingHorizonDays' },
  { key: 'signals.riskHaircut.low', allowed: 'at most', other: 'signals.riskHaircut.medium' },
  { key: 'signals.riskHaircut.medium', allowed: 'at most', other: 'signals.riskHaircut.high' },
  // PostgreSQL counts the wait for a lock as part of the statement, so a longer lock timeout never fires.
  { key: 'database.lockTimeoutMs', allowed: 'less than', other: 'database.statementTimeoutMs' },
];

/** Problems between constants that are each within their bounds. */
export function pairProblems(constants: object): Problem[] {
  return [...PAIRS.flatMap((rule) => problemOf(rule, constants)), ...rearmProblems(constants)];
}

function problemOf({ key, allowed, other }: PairRule, constants: object): Problem[] {
  const [value, bound] = [valueAt(constants, key) as number, valueAt(constants, other) as number];
  if (allowed === 'at most' ? value <= bound : value < bound) return [];
  return [
    { path: key.split('.'), value, reason: `allowed is ${allowed} ${snakeCase(other)}, which is ${bound}` },
  ];
}

/** A yield of 0 must arm each level again: with a larger distance a level would raise one event and then none. */
function rearmProblems(constants: object): Problem[] {
  const levels = valueAt(constants, 'yieldThresholds.levels') as readonly number[];
  const rearm = valueAt(constants, 'yieldThresholds.rearm') as number;
  const least = Math.min(...levels.filter((level) => level > 0));
  if (rearm <= least) return [];
  const reason = `allowed is at most the least level above 0 of yield_thresholds.levels, which is ${least}`;
  return [{ path: ['yieldThresholds', 'rearm'], value: rearm, reason }];
}

const valueAt = (constants: object, key: string): unknown =>
  key.split('.').reduce<unknown>((above, part) => (above as Record<string, unknown>)[part], constants);
