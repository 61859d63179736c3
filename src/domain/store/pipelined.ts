/** `in_failed_sql_transaction`: a statement behind one that failed. */
const REFUSED_BEHIND = '25P02';

type Answers<Works extends readonly Promise<unknown>[]> = {
  -readonly [Place in keyof Works]: Awaited<Works[Place]>;
};

/**
 * Waits for statements of one transaction that were sent behind each other, without a wait for each answer: they take one round trip, and run in the order in which
 * they were asked for. Where one fails, PostgreSQL refuses those behind it.
 *
 * @throws what the one that failed says, and not what those behind it were refused with, once all are answered
 */
export async function pipelined<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<Answers<Works>> {
  const answers = await Promise.allSettled(works);
  const failed = answers.filter((answer) => answer.status === 'rejected');
  // A statement that was sent later, as one that waited for an answer, may stand before the one whose failure it was refused for.
  const cause =
    failed.find(({ reason }) => (reason as { code?: unknown }).code !== REFUSED_BEHIND) ?? failed[0];
  if (cause) throw cause.reason;
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as Answers<Works>;
}
