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
