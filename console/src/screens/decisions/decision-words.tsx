import type { ComponentChildren } from 'preact';
import type { Decision, Gate } from '../../api/decisions.js';
import { countText, Money, Nothing, pointsText, Rate } from '../../format/figures.js';
import { Badge, type Tone } from '../../ui/badge.js';

interface KindWords {
  name: string;
  tone: Tone;
  /** The name of the filter's choice. */
  all: string;
}

export const KINDS: Record<Decision['kind'], KindWords> = {
  route: { name: 'Deposit', tone: 'good', all: 'Deposits' },
  rebalance: { name: 'Move', tone: 'accent', all: 'Moves' },
  hold: { name: 'Hold', tone: 'plain', all: 'Holds' },
};

export const REASONS: Record<Decision['reason'], string> = {
  best_vault: 'the best vault within its limits',
  insufficient_history: 'too little history to compare',
  no_open_vault: 'no vault accepts the funds: they wait in cash',
  all_gates_passed: 'all gates passed',
  evicted: 'it had to leave',
  policy: 'your policy does not allow it',
  exposure: 'the book had drifted over a limit',
  already_best: 'no vault was better',
  gate_failed: 'a gate was not passed',
};

type Order = NonNullable<Decision['order']>;

const ORDERS: Record<Order['state'], readonly [name: string, tone: Tone]> = {
  decided: ['decided', 'warn'],
  taken_up: ['taken up', 'accent'],
  redeemed: ['redeemed', 'accent'],
  arrived: ['arrived', 'good'],
  lapsed: ['lapsed', 'plain'],
  failed: ['failed', 'bad'],
};

/** How far the move is that carries a decision out. */
export const OrderBadge = ({ order }: { order: Decision['order'] }) =>
  order ? <Badge tone={ORDERS[order.state][1]}>{ORDERS[order.state][0]}</Badge> : <Nothing why="no order" />;

export const KindBadge = ({ kind }: { kind: Decision['kind'] }) => (
  <Badge tone={KINDS[kind].tone}>{KINDS[kind].name}</Badge>
);

interface GateWords {
  name: string;
  /** The question that the gate asks. */
  asks: string;
  /** How the value is compared with the threshold. */
  bound: 'at least' | 'at most' | 'above' | 'below' | 'is';
  show: (value: number) => ComponentChildren;
}

const yes = (value: number): string => (value === 1 ? 'yes' : 'no');
const hours = (value: number): string => `${countText(value)} h`;
const money = (value: number): ComponentChildren => <Money amount={value} />;
const times = (value: number): string => `${countText(Number(value.toFixed(2)))}×`;
const percent = (value: number): ComponentChildren => <Rate rate={value} />;
const part = (value: number): string => `${countText(Number((value * 100).toFixed(3)))} %`;

/** Gates in the order of display: first the gain, then requirements on the vault. */
export const GATES: Record<Gate['gate'], GateWords> = {
  delta: {
    name: 'Difference in rate',
    asks: 'Its rate less the rate of staying',
    bound: 'at least',
    show: pointsText,
  },
  gain: {
    name: 'Gain',
    asks: 'Gain over the horizon, in multiples of the cost',
    bound: 'at least',
    show: money,
  },
  net_gain: { name: 'Net gain', asks: 'Gain over the horizon less the cost', bound: 'at least', show: money },
  promise: {
    name: 'Promise',
    asks: 'Gain by the newest observation less the cost, in multiples of the cost',
    bound: 'at least',
    show: money,
  },
  return: {
    name: 'Return',
    asks: 'Gain, if these funds left the vault less than a week ago',
    bound: 'at least',
    show: money,
  },
  cost: { name: 'Cost', asks: 'Cost of the eviction, below the amount', bound: 'below', show: money },
  time_in_vault: {
    name: 'Time in vault',
    asks: 'How long the funds have been in their vault',
    bound: 'at least',
    show: hours,
  },
  policy: { name: 'Policy', asks: 'The vault is allowed by your policy', bound: 'is', show: yes },
  active: { name: 'Open', asks: 'It takes deposits', bound: 'is', show: yes },
  fresh: { name: 'Fresh', asks: 'Time since it was observed', bound: 'at most', show: hours },
  reading: { name: 'Reading', asks: 'Age of its newest reading', bound: 'at most', show: hours },
  history: { name: 'History', asks: 'Enough history to judge it', bound: 'is', show: yes },
  index: { name: 'Index', asks: 'Change of its index within a day', bound: 'above', show: percent },
  outflow: {
    name: 'Outflow',
    asks: 'Change of its deposits against the median of a week, for funds that are in it',
    bound: 'above',
    show: percent,
  },
  assets: {
    name: 'Deposits',
    asks: 'Change of its deposits against the median of a week, for new funds',
    bound: 'above',
    show: percent,
  },
  liquidity: {
    name: 'Liquidity',
    asks: 'Its liquidity in multiples of what is held, where most of it is lent out',
    bound: 'at least',
    show: times,
  },
  quarantine: { name: 'Quarantine', asks: 'Time until its quarantine ends', bound: 'at most', show: hours },
  step: {
    name: 'Step',
    asks: 'Change of its share price that is not in the index yet',
    bound: 'at most',
    show: percent,
  },
  divergence: {
    name: 'Divergence',
    asks: 'Difference between its yield and the second opinion’s',
    bound: 'at most',
    show: pointsText,
  },
  capacity: { name: 'Capacity', asks: 'Total that would be held in it', bound: 'at most', show: money },
  size: { name: 'Size', asks: 'Its size in multiples of the amount', bound: 'at least', show: times },
  share: { name: 'Share', asks: 'Part of its size that would be held', bound: 'at most', show: part },
  exposure: {
    name: 'Exposure',
    asks: 'Part of your book in the vault, its tier or its venue',
    bound: 'at most',
    show: part,
  },
  exit: {
    name: 'Exit',
    asks: 'What can be withdrawn from the vault that is left',
    bound: 'at least',
    show: money,
  },
};

export const gateNames = Object.keys(GATES) as Gate['gate'][];

export const shown = (value: number | null, show: GateWords['show']): ComponentChildren =>
  value === null ? <Nothing /> : show(value);
