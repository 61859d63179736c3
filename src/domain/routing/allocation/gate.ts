import { pointsInWords } from '../../kernel/money.js';
import type { VaultRule } from '../../tenants/policies/policy.js';

/** Formats a gate's value or threshold with a number of decimals. */
type Figure = (value: number, decimals: number, asset: string) => string;

/** Limit on decimals: further ones only show floating-point noise. */
const MAX_DECIMALS = 9;

const percent: Figure = (value, decimals) => `${trimmed(value * 100, decimals)} %`;
const points: Figure = (value, decimals) => pointsInWords(value, decimals);
const units: Figure = (value, _decimals, asset) => `${trimmed(value, 6)} ${asset}`;
const hours: Figure = (value, decimals) => counted(trimmed(value, decimals), 'hour');
const times: Figure = (value, decimals) => counted(trimmed(value, decimals), 'time');

/** Gates, and how their figures are written; null: the gate is a flag, 1 or 0, and its name is enough. */
const FIGURES = {
  active: null,
  history: null,
  policy: null,
  exposure: percent,
  exit: units,
  fresh: hours,
  reading: hours,
  quarantine: hours,
  capacity: units,
  size: times,
  share: percent,
  index: percent,
  outflow: percent,
  assets: percent,
  liquidity: times,
  step: percent,
  divergence: points,
  cost: units,
  delta: points,
  gain: units,
  net_gain: units,
  promise: units,
  time_in_vault: hours,
  return: units,
} satisfies Record<string, Figure | null>;

export type GateName = keyof typeof FIGURES;

/** Amounts are whole asset units, `size` and `liquidity` multiples, rates fractions a year. */
export interface Gate {
  gate: GateName;
  /** null: unknown, or the event never happened (for example, no observation yet). */
  value: number | null;
  /** In the unit of the value; null: no limit applies. */
  threshold: number | null;
  passed: boolean;
  /** For `policy` only: the violated rules. */
  rules?: VaultRule[];
}

/** Failed gate as text: actual and required value. */
export function gateInWords({ gate, value, threshold, rules = [] }: Gate, asset: string): string {
  const figure: Figure | null = FIGURES[gate];
  if (figure === null) return rules.length === 0 ? gate : `${gate} (${rules.join(', ')})`;
  const shown = (amount: number | null, decimals: number, absent: string): string =>
    amount === null ? absent : figure(amount, decimals, asset);
  const figures = (decimals: number): [string, string] => [
    shown(value, decimals, 'unknown'),
    shown(threshold, decimals, 'no bound'),
  ];
  let decimals = 2;
  let [actual, required] = figures(decimals);
  // Decimals are added until a value just short of its threshold looks different from it.
  while (actual === required && value !== threshold && decimals < MAX_DECIMALS)
    [actual, required] = figures(++decimals);
  return `${gate} (${actual} against ${required})`;
}

const trimmed = (value: number, decimals: number): string =>
  value.toFixed(decimals).replace(/\.?(?<!0)0+$/, '');

const counted = (count: string, unit: string): string => `${count} ${unit}${count === '1' ? '' : 's'}`;

export const flag = (gate: GateName, value: boolean): Gate => atLeast(gate, Number(value), 1);

export const gateOf = (
  gate: GateName,
  value: number | null,
  threshold: number | null,
  passed: boolean,
): Gate => ({
  gate,
  value,
  threshold,
  passed,
});

export const atLeast = (gate: GateName, value: number | null, threshold: number): Gate =>
  gateOf(gate, value, threshold, value !== null && value >= threshold);

export const atMost = (gate: GateName, value: number | null, threshold: number): Gate =>
  gateOf(gate, value, threshold, value !== null && value <= threshold);

/** Limit in both directions; an unknown value is within it. */
export const within = (gate: GateName, value: number | null, threshold: number): Gate =>
  gateOf(gate, value, threshold, value === null || Math.abs(value) <= threshold);
