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
  policy: 'the policy does not allow it',
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
    asks: 'What a year there brings more than a year here, in percentage points',
    bound: 'at least',
    show: pointsText,
  },
  gain: {
    name: 'Gain',
    asks: 'What the move brings within the horizon: at least a multiple of its cost',
    bound: 'at least',
    show: money,
  },
  net_gain: {
    name: 'Net gain',
    asks: 'What remains of the gain after the cost of the move',
    bound: 'at least',
    show: money,
  },
  promise: {
    name: 'Promise',
    asks: 'What remains after the cost if the newest yields, not the average ones, are right',
    bound: 'at least',
    show: money,
  },
  return: {
    name: 'Return',
    asks: 'The gain, where these funds left that vault less than a week ago: going back has to bring more',
    bound: 'at least',
    show: money,
  },
  cost: {
    name: 'Cost',
    asks: 'What leaving costs: less than the funds are worth',
    bound: 'below',
    show: money,
  },
  time_in_vault: {
    name: 'Time in vault',
    asks: 'How long the funds have been in their vault: they do not move again at once',
    bound: 'at least',
    show: hours,
  },
  policy: { name: 'Policy', asks: 'The policy in force allows the vault', bound: 'is', show: yes },
  active: { name: 'Open', asks: 'The vault takes deposits', bound: 'is', show: yes },
  fresh: { name: 'Fresh', asks: 'Time since the vault was last observed', bound: 'at most', show: hours },
  reading: {
    name: 'Reading',
    asks: 'Age of the newest yield that its source has published',
    bound: 'at most',
    show: hours,
  },
  history: {
    name: 'History',
    asks: 'The vault was observed for long enough to forecast its yield',
    bound: 'is',
    show: yes,
  },
  index: {
    name: 'Index',
    asks: 'What a share of the vault has lost within a day',
    bound: 'above',
    show: percent,
  },
  outflow: {
    name: 'Outflow',
    asks: 'How far the vault’s deposits have fallen within a week, for funds that are in it',
    bound: 'above',
    show: percent,
  },
  assets: {
    name: 'Deposits',
    asks: 'How far the vault’s deposits have fallen within a week, for new funds',
    bound: 'above',
    show: percent,
  },
  liquidity: {
    name: 'Liquidity',
    asks: 'How often the vault could pay out what is held in it, where most of its deposits are lent out',
    bound: 'at least',
    show: times,
  },
  quarantine: {
    name: 'Quarantine',
    asks: 'Time until the vault takes funds again after a loss or an outflow',
    bound: 'at most',
    show: hours,
  },
  step: {
    name: 'Step',
    asks: 'Change of the share price that those who enter now would share in',
    bound: 'at most',
    show: percent,
  },
  divergence: {
    name: 'Divergence',
    asks: 'Difference between the vault’s yield on its chain and by a second source',
    bound: 'at most',
    show: pointsText,
  },
  capacity: {
    name: 'Capacity',
    asks: 'What this service would hold in the vault',
    bound: 'at most',
    show: money,
  },
  size: { name: 'Size', asks: 'How often the amount fits into the vault', bound: 'at least', show: times },
  share: {
    name: 'Share',
    asks: 'Part of the vault that this service would hold',
    bound: 'at most',
    show: part,
  },
  exposure: {
    name: 'Exposure',
    asks: 'Part of the book that would be in the vault, in all of its risk tier, or at its venue',
    bound: 'at most',
    show: part,
  },
  exit: {
    name: 'Exit',
    asks: 'What the vault that is left can pay out now',
    bound: 'at least',
    show: money,
  },
};

export const gateNames = Object.keys(GATES) as Gate['gate'][];

export const shown = (value: number | null, show: GateWords['show']): ComponentChildren =>
  value === null ? <Nothing /> : show(value);
