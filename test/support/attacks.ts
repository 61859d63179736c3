/** CPU of one text, by milliseconds. */
export const MOST_CPU_MS = 50;

/** Runs of which the fastest counts: others share the machine. */
const RUNS = 12;

/** Texts of a length in which an expression or a loop that is not linear would start again and again: pieces, and pairs of them, repeated. */
export function attacks(pieces: readonly string[], length: number): string[] {
  const many = (piece: string): string => piece.repeat(Math.floor(length / piece.length));
  return pieces.flatMap((piece) => [
    many(piece),
    ...pieces
      .filter((other) => other !== piece)
      .flatMap((other) => [many(piece + other), piece + many(other), many(piece) + other]),
  ]);
}

/** CPU in milliseconds that work takes, by the fastest of some runs; none follows one that is fast enough. */
export async function cpuOf(work: () => unknown, enough = MOST_CPU_MS): Promise<number> {
  let fastest = Infinity;
  for (let run = 0; run < RUNS && fastest > enough; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1_000);
  }
  return fastest;
}

/** Texts that take more CPU than is allowed, as a failure shows them. */
export async function slowOf(
  texts: readonly string[],
  read: (text: string) => unknown,
): Promise<{ text: string; ms: number }[]> {
  const slow = [];
  for (const text of texts) {
    const ms = await cpuOf(() => read(text));
    if (ms > MOST_CPU_MS)
      slow.push({ text: `${text.slice(0, 20)} ... ${text.slice(-10)}`, ms: Math.round(ms) });
  }
  return slow;
}
