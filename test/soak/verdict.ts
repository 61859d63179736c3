/** Something that was measured, and what it may come to. */
export interface Finding {
  what: string;
  value: number;
  /** The most, or exactly this. */
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

/** What nine of ten are at most. */
export const mostly = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.9)]!;

/**
 * Memory goes up and down with the collector, and takes its time to get where it stays on a busy machine: the last part is compared with what was
 * reached between the warm-up and half the time. What leaks goes beyond it.
 */
export function beyond<S extends { at: number }>(
  samples: readonly S[],
  warmAt: number,
  windowMs: number,
  value: (sample: S) => number,
): { before: number; after: number; ratio: number } {
  const [begin, end] = [samples[0]!.at, samples.at(-1)!.at];
  const half = (begin + end) / 2;
  const part = (from: number, to: number): number[] =>
    samples.filter(({ at }) => at >= from && at <= to).map(value);
  const [before, after] = [mostly(part(warmAt, half)), median(part(end - windowMs, end))];
  return { before, after, ratio: after / before };
}

/** What something came to in the last part of the samples, as a multiple of what it was in the part after the warm-up. */
export function growth<S extends { at: number }>(
  samples: readonly S[],
  warmAt: number,
  windowMs: number,
  value: (sample: S) => number,
): { before: number; after: number; ratio: number } {
  const end = samples.at(-1)!.at;
  const part = (from: number, to: number): number[] =>
    samples.filter(({ at }) => at >= from && at <= to).map(value);
  const [before, after] = [median(part(warmAt, warmAt + windowMs)), median(part(end - windowMs, end))];
  return { before, after, ratio: after / before };
}

/** Lines for who reads them. */
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
