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

interface GateWords {
  /** As the console's table of candidates has it. */
  label: string;
  /** What a value is compared by; null: the gate is a flag, 1 or 0. */
  bound: 'at least' | 'at most' | 'above' | 'below' | null;
  figure: Figure | null;
  /** What a flag says that is 0; absent: the broken rules say it. */
  failure?: string;
}

const atLeastOf = (label: string, figure: Figure): GateWords => ({ label, bound: 'at least', figure });
const atMostOf = (label: string, figure: Figure): GateWords => ({ label, bound: 'at most', figure });
const aboveOf = (label: string, figure: Figure): GateWords => ({ label, bound: 'above', figure });
const flagOf = (label: string, failure?: string): GateWords => ({
  ...{ label, bound: null, figure: null },
  ...(failure !== undefined && { failure }),
});

/** Gates in words. */
const GATES = {
  active: flagOf('Open', 'it takes no funds'),
  history: flagOf('History', 'too short to judge it'),
  policy: flagOf('Policy'),
  exposure: atMostOf('Exposure', percent),
  exit: atLeastOf('Exit', units),
  fresh: atMostOf('Fresh', hours),
  reading: atMostOf('Reading', hours),
  quarantine: atMostOf('Quarantine', hours),
  capacity: atMostOf('Capacity', units),
  size: atLeastOf('Size', times),
  share: atMostOf('Share', percent),
  index: aboveOf('Index', percent),
  outflow: aboveOf('Outflow', percent),
  assets: aboveOf('Deposits', percent),
  liquidity: atLeastOf('Liquidity', times),
  step: atMostOf('Step', percent),
  divergence: atMostOf('Divergence', points),
  cost: { label: 'Cost', bound: 'below', figure: units },
  delta: atLeastOf('Difference in rate', points),
  gain: atLeastOf('Gain', units),
  net_gain: atLeastOf('Net gain', units),
  promise: atLeastOf('Promise', units),
  time_in_vault: atLeastOf('Time in vault', hours),
  return: atLeastOf('Return', units),
} satisfies Record<string, GateWords>;

export type GateName = keyof typeof GATES;

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

/**
 * Failed gate in words: its label, its value and what it had to be.
 * @param place what the value is a part of, as in "in one high-risk vault"; empty: the label says it
 */
export function gateInWords({ gate, value, threshold, rules = [] }: Gate, asset: string, place = ''): string {
  const { label, bound, figure, failure = rules.join(', ') }: GateWords = GATES[gate];
  if (figure === null) return failure === '' ? label : `${label} (${failure})`;
  const shown = (amount: number | null, decimals: number): string =>
    amount === null ? 'unknown' : figure(amount, decimals, asset);
  let decimals = 2;
  // Decimals are added until a value just short of its threshold looks different from it.
  while (
    shown(value, decimals) === shown(threshold, decimals) &&
    value !== threshold &&
    decimals < MAX_DECIMALS
  )
    decimals++;
  const required = threshold === null ? '' : `, must be ${bound} ${shown(threshold, decimals)}`;
  return `${label} (${shown(value, decimals)}${place && ` ${place}`}${required})`;
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
