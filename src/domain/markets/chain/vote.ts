export interface Vote<Voter, Value> {
  voter: Voter;
  value: Value;
}

/** Answers of all voters, asked concurrently. @param onFault called for a voter without an answer; rethrows errors that are not its fault */
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

/** Majority of the votes, and who dissents; a tie has none, and all dissent. @param keyOf equal keys for equal values */
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
