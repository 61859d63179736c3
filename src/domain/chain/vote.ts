/** Who said what. */
export interface Vote<Voter, Value> {
  voter: Voter;
  value: Value;
}

/**
 * What all say that answer, asked at once.
 *
 * @param onFault of one that has no answer; throws what is no fault of its own
 */
export async function votesOf<Voter, Value>(
  voters: readonly Voter[],
  work: (voter: Voter) => Promise<Value>,
  onFault: (voter: Voter, error: unknown) => void,
): Promise<Vote<Voter, Value>[]> {
  const votes = await Promise.all(
    voters.map(async (voter) => {
      try {
        return [{ voter, value: await work(voter) }];
      } catch (error) {
        onFault(voter, error);
        return [];
      }
    }),
  );
  return votes.flat();
}

/**
 * What most say; with one voter, what it says. Where as many say one thing as another, nobody can be told to be right.
 *
 * @param keyOf equal for equal values
 * @returns the value that has more votes than any other, and who said otherwise; where none has, null and everybody
 */
export function majority<Voter, Value>(
  votes: readonly Vote<Voter, Value>[],
  keyOf: (value: Value) => string,
): { value: Value | null; dissenters: Voter[] } {
  const groups = [...Map.groupBy(votes, ({ value }) => keyOf(value)).values()].sort(
    (a, b) => b.length - a.length,
  );
  const [first, second] = groups;
  if (!first || first.length === second?.length)
    return { value: null, dissenters: votes.map(({ voter }) => voter) };
  return {
    value: first[0]!.value,
    dissenters: groups.slice(1).flatMap((group) => group.map(({ voter }) => voter)),
  };
}
