/** The text of an unknown figure. */
export const Nothing = ({ why = 'not known' }: { why?: string }) => (
  <span class="nothing" title={why}>
    <span aria-hidden="true">–</span>
    <span class="heard">{why}</span>
  </span>
);

const GROUPED = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const MICRO = new Intl.NumberFormat('en-US', { minimumFractionDigits: 6, maximumFractionDigits: 6 });
const COUNTED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** The exact amount: the API has six decimals at most. */
export const moneyText = (amount: number): string => GROUPED.format(amount).replace('-', '−');
export const countText = (count: number): string => COUNTED.format(count).replace('-', '−');
/** A rounded amount, for axes and beside the exact figure. */
export const compactText = (amount: number): string => COMPACT.format(amount).replace('-', '−');

interface MoneyProps {
  amount: number | null | undefined;
  unit?: string | undefined;
  /** Whether the sign is shown, with a colour. */
  signed?: boolean;
}

/**
 * An amount with all its decimals: those below a cent are less prominent, keep their zeros, and take the same room in a table where there are none.
 */
export function Money({ amount, unit, signed = false }: MoneyProps) {
  if (amount == null) return <Nothing />;
  const text = MICRO.format(amount).replace('-', '−');
  const tail = text.slice(-4);
  const sign = signed && amount > 0 ? '+' : '';
  const tone = !signed || amount === 0 ? '' : amount > 0 ? ' gain' : ' loss';
  return (
    <span class={`figure${tone}`}>
      {sign}
      {text.slice(0, -4)}
      {tail === '0000' ? <span class="no-tail" aria-hidden="true" /> : <span class="below-cent">{tail}</span>}
      {unit && <span class="unit"> {unit}</span>}
    </span>
  );
}

/** A count with its noun, such as `1 position` or `2 positions`. */
export const counted = (count: number, noun: string): string =>
  `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;

export const Count = ({ count }: { count: number }) => <span class="figure">{countText(count)}</span>;

/** A fraction as a percentage with two decimals; the exact value is shown on hover. */
export const rateText = (rate: number, decimals = 2): string => `${percents(rate, decimals)} %`;
export const pointsText = (rate: number): string => {
  const text = percents(rate, 2);
  return `${rate > 0 && text !== '0.00' ? '+' : ''}${text} pp`;
};
/** What rounds to zero has no sign. */
const percents = (rate: number, decimals: number): string =>
  (rate * 100)
    .toFixed(decimals)
    .replace(/^-(?=[0.]+$)/, '')
    .replace('-', '−');

interface RateProps {
  rate: number | null | undefined;
  decimals?: number;
  /** Whether the rate is a difference, shown in percentage points. */
  points?: boolean;
}

export function Rate({ rate, decimals = 2, points = false }: RateProps) {
  if (rate == null) return <Nothing />;
  return (
    <span class="figure" title={`exactly ${rate}`}>
      {points ? pointsText(rate) : rateText(rate, decimals)}
    </span>
  );
}
