import type { Problem } from './config-files.js';
import { snakeCase } from './spelling.js';

/** Two constants of which the first must be smaller than the second, or at most as large. */
interface PairRule {
  key: string;
  allowed: 'at most' | 'less than';
  other: string;
  /** Number of units of `key` in a unit of `other`; 1 when absent. */
  units?: number;
}

const PAIRS: readonly PairRule[] = [
  { key: 'routing.horizonDays', allowed: 'at most', other: 'routing.lastingHorizonDays' },
  // A window has at most a snapshot an hour: with more required, no vault ever has enough history.
  { key: 'signals.minSnapshots', allowed: 'at most', other: 'signals.windowHours' },
  { key: 'signals.recentHalfLifeHours', allowed: 'less than', other: 'signals.longHalfLifeHours' },
  { key: 'signals.riskHaircut.low', allowed: 'at most', other: 'signals.riskHaircut.medium' },
  { key: 'signals.riskHaircut.medium', allowed: 'at most', other: 'signals.riskHaircut.high' },
  // The ratio of a window to itself is always 1.
  { key: 'regime.volatileWindowHours', allowed: 'less than', other: 'regime.referenceWindowHours' },
  // PostgreSQL counts the wait for a lock as part of the statement, so a longer lock timeout never fires.
  { key: 'database.lockTimeoutMs', allowed: 'less than', other: 'database.statementTimeoutMs' },
  { key: 'feeds.timeoutMs', allowed: 'less than', other: 'http.shutdownGraceSeconds', units: 1000 },
];

/** Problems between constants that are each within their bounds. */
export function pairProblems(constants: object): Problem[] {
  return [...PAIRS.flatMap((rule) => problemOf(rule, constants)), ...rearmProblems(constants)];
}

function problemOf({ key, allowed, other, units = 1 }: PairRule, constants: object): Problem[] {
  const [value, bound] = [valueAt(constants, key) as number, valueAt(constants, other) as number];
  if (allowed === 'at most' ? value <= bound * units : value < bound * units) return [];
  const limit = `allowed is ${allowed} ${snakeCase(other)}, which is ${bound}`;
  return [{ path: key.split('.'), value, reason: units === 1 ? limit : `${limit} (here ${bound * units})` }];
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
