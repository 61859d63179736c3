import { setImmediate as turn } from 'node:timers/promises';

/** `in_failed_sql_transaction`: the statement came after one that failed. */
const REFUSED_BEHIND = '25P02';

type Answers<Works extends readonly Promise<unknown>[]> = {
  -readonly [Place in keyof Works]: Awaited<Works[Place]>;
};

/**
 * Awaits pipelined statements of one transaction: sent without waiting for each answer, they take one round trip, and run in order. When one fails,
 * PostgreSQL refuses the later ones.
 * @throws the original failure, and not the refusals after it, once all are answered
 */
export async function pipelined<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<Answers<Works>> {
  const answers = await Promise.allSettled(works);
  const failed = answers.filter((answer) => answer.status === 'rejected');
  // A statement sent late (it waited for an answer) may stand in the list before the one whose failure refused it.
  const cause =
    failed.find(({ reason }) => (reason as { code?: unknown }).code !== REFUSED_BEHIND) ?? failed[0];
  if (cause) throw cause.reason;
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as Answers<Works>;
}

/**
 * Sends a statement for each part of many items: while the database works on one, the process prepares the next.
 * @param send sends the statement of a part; `from` is the place of its first item
 * @returns the statements, to be awaited by `pipelined`, which throws what failed
 */
export async function inParts<T>(
  items: readonly T[],
  size: number,
  send: (part: readonly T[], from: number) => Promise<unknown>,
): Promise<Promise<unknown>[]> {
  const sent: Promise<unknown>[] = [];
  for (let from = 0; from < items.length; from += size) {
    // A statement leaves in the turn after that in which it was asked for.
    if (from > 0) await turn();
    const answer = send(items.slice(from, from + size), from);
    answer.catch(() => undefined);
    sent.push(answer);
  }
  return sent;
}
