/** The task that the victim's process receives. */
export interface Victim {
  url: string;
  /** Path of the resource that it reads. */
  reads: string;
  readKey: string;
  depositKey: string;
  userId: string;
  /** Whether its deposits are reported with the hash of a settled transfer. */
  settles: boolean;
}

/** Requests of one kind in one stretch of time. */
export interface Slice {
  /** Milliseconds of each request, from the time at which it was due. */
  took: number[];
  /** Counts by status, or by the reason why there was none. */
  refused: Record<string, number>;
}

/** The victim's requests in one stretch of time. */
export interface Stretch {
  reading: Slice;
  depositing: Slice;
  /** CPU of the server's process: seconds of CPU a second. */
  cpu: number;
}

/** A quiet stretch and the one under attack that follows it. */
export interface Round {
  quiet: Stretch;
  attacked: Stretch;
  /** Counts of the attacker's outcomes. */
  answers: Record<string, number>;
}

export const GOAL = 2;

const SHARES = { p50: 0.5, p99: 0.99 } as const;
const KINDS = { GET: 'reading', deposit: 'depositing' } as const;

export interface Figure {
  /** A figure's name, such as 'GET p99'. */
  name: string;
  /** Milliseconds, the median over the rounds. */
  quiet: number;
  attacked: number;
  /** The median over the rounds of (attacked / quiet of the same round). */
  ratio: number;
}

/** The four figures of an attack: median and 99th percentile of reads and of deposits. */
export function figures(rounds: readonly Round[]): Figure[] {
  return Object.entries(KINDS).flatMap(([kind, key]) =>
    Object.entries(SHARES).map(([share, at]) => {
      const pairs = rounds.map(
        ({ quiet, attacked }) => [quantile(quiet[key].took, at), quantile(attacked[key].took, at)] as const,
      );
      return {
        name: `${kind} ${share}`,
        quiet: median(pairs.map(([quiet]) => quiet)),
        attacked: median(pairs.map(([, attacked]) => attacked)),
        ratio: median(pairs.map(([quiet, attacked]) => attacked / quiet)),
      };
    }),
  );
}

/** How many of the victim's requests were refused or not answered under attack. */
export function refusals(rounds: readonly Round[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { attacked } of rounds)
    for (const { refused } of [attacked.reading, attacked.depositing])
      for (const [outcome, count] of Object.entries(refused)) all[outcome] = (all[outcome] ?? 0) + count;
  return all;
}

/** The attacks that miss the goal, and the figure that misses it. Empty: none. */
export function missed(results: ReadonlyMap<string, readonly Round[]>): string[] {
  return [...results].flatMap(([name, rounds]) => {
    const over = figures(rounds)
      .filter(({ ratio }) => ratio > GOAL)
      .map((figure) => `${figure.name} ${figure.ratio.toFixed(1)} times`);
    const refused = counted(refusals(rounds));
    if (refused !== '') over.push(`not answered: ${refused}`);
    return over.length > 0 ? [`${name}: ${over.join(', ')}`] : [];
  });
}

/** A Markdown table with a row for each attack. */
export function table(results: ReadonlyMap<string, readonly Round[]>): string[] {
  const rows = [...results].map(([name, rounds]) => {
    const cells = figures(rounds).map(
      ({ quiet, attacked, ratio }) => `${quiet.toFixed(1)} → ${attacked.toFixed(1)} (${ratio.toFixed(1)})`,
    );
    const cpu = (['quiet', 'attacked'] as const).map((when) =>
      median(rounds.map((round) => round[when].cpu)).toFixed(2),
    );
    const answers = rounds.map((round) => round.answers).reduce(sum, {});
    return [name, ...cells, cpu.join(' → '), counted(answers), counted(refusals(rounds)) || 'none'];
  });
  const head = [
    'attack',
    'GET p50, ms',
    'GET p99, ms',
    'deposit p50, ms',
    'deposit p99, ms',
    'CPU',
    'answers to it',
    'victim refused',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** The quantile: the value that the given share of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

const sum = (a: Record<string, number>, b: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)]),
  );

const counted = (outcomes: Record<string, number>): string =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', ');
