/** A measured figure and its bound. */
export interface Finding {
  what: string;
  value: number;
  /** The largest value, or the exact one. */
  most?: number;
  exactly?: number;
}

export const holds = ({ value, most, exactly }: Finding): boolean =>
  exactly === undefined ? value <= (most ?? Infinity) : value === exactly;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The 90th percentile. */
export const mostly = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.9)]!;

interface Comparison {
  before: number;
  after: number;
  /** `after` as a multiple of `before`. */
  ratio: number;
}

/**
 * Memory use varies with the garbage collector, and takes its time to settle on a busy machine: the last part is compared with the maximum between
 * the warm-up and half the time. A leak exceeds it.
 */
export function beyond<S extends { at: number }>(
  samples: readonly S[],
  warmAt: number,
  windowMs: number,
  value: (sample: S) => number,
): Comparison {
  const half = (samples[0]!.at + samples.at(-1)!.at) / 2;
  return comparison(mostly(part(samples, warmAt, half, value)), samples, windowMs, value);
}

/** The median of the last part of the samples, as a multiple of the median of the part after the warm-up. */
export function growth<S extends { at: number }>(
  samples: readonly S[],
  warmAt: number,
  windowMs: number,
  value: (sample: S) => number,
): Comparison {
  return comparison(median(part(samples, warmAt, warmAt + windowMs, value)), samples, windowMs, value);
}

function comparison<S extends { at: number }>(
  before: number,
  samples: readonly S[],
  windowMs: number,
  value: (sample: S) => number,
): Comparison {
  const end = samples.at(-1)!.at;
  const after = median(part(samples, end - windowMs, end, value));
  return { before, after, ratio: after / before };
}

const part = <S extends { at: number }>(
  samples: readonly S[],
  from: number,
  to: number,
  value: (sample: S) => number,
): number[] => samples.filter(({ at }) => at >= from && at <= to).map(value);

/** The findings as lines of text. */
export function table(findings: readonly Finding[]): string {
  const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(3));
  return findings
    .map((finding) => {
      const bound =
        finding.exactly !== undefined
          ? `= ${shown(finding.exactly)}`
          : `<= ${shown(finding.most ?? Infinity)}`;
      return `${holds(finding) ? '  ' : '! '}${finding.what.padEnd(64)}${shown(finding.value).padStart(12)}  ${bound}`;
    })
    .join('\n');
}
