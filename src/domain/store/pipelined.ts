type Answers<Works extends readonly Promise<unknown>[]> = {
  -readonly [Place in keyof Works]: Awaited<Works[Place]>;
};

/**
 * Waits for statements of one transaction that were sent behind each other, without a wait for each answer: they take one round trip, and run in the order in which
 * they were asked for. Where one fails, PostgreSQL refuses those behind it.
 *
 * @throws what the first one that failed says, once all are answered
 */
export async function pipelined<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<Answers<Works>> {
  const answers = await Promise.allSettled(works);
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed) throw failed.reason;
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as Answers<Works>;
}
