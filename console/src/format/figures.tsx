import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

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

/** Decimals below a cent; empty where all of them are zero. */
const tailOf = (text: string): string => (text.endsWith('0000') ? '' : text.slice(-4));
export const hasTail = (amount: number | null): boolean =>
  amount !== null && tailOf(MICRO.format(amount)) !== '';

/** Whether amounts are shown to the cent. What is below a cent is cut off, not rounded: no digit shown is wrong. */
export const ToTheCent = createContext(false);

interface MoneyProps {
  amount: number | null | undefined;
  unit?: string | undefined;
  /** Whether the sign is shown, with a colour. */
  signed?: boolean;
  /** Whether an amount without decimals below a cent keeps their room, because others of its column have some. */
  spaced?: boolean;
}

/**
 * An amount with all its decimals: those below a cent are less prominent, and keep their zeros. To the cent, the whole amount is shown on hover and
 * read out; an amount below a cent is always whole.
 */
export function Money({ amount, unit, signed = false, spaced = false }: MoneyProps) {
  const toTheCent = useContext(ToTheCent);
  if (amount == null) return <Nothing />;
  const sign = signed && amount > 0 ? '+' : '';
  const text = sign + MICRO.format(amount).replace('-', '−');
  const tail = tailOf(text);
  const isCut = toTheCent && tail !== '' && Math.abs(amount) >= 0.01;
  const tone = !signed || amount === 0 ? '' : amount > 0 ? ' gain' : ' loss';
  return (
    <span class={`figure${tone}`} title={isCut ? `exactly ${text}` : undefined}>
      <span aria-hidden={isCut || undefined}>{text.slice(0, -4)}</span>
      {isCut && <span class="heard">{text}</span>}
      {tail && !isCut && <span class="below-cent">{tail}</span>}
      {!tail && spaced && <span class="no-tail" aria-hidden="true" />}
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
