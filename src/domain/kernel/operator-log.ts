/** Lines and counts of the domain for operators. The process writes them to its log and its metrics, neither of which the domain knows. */
export abstract class OperatorLog {
  abstract info(facts: object, line: string): void;
  abstract warn(facts: object, line: string): void;

  /** @param market kind of the market @param outcomes in whole units */
  abstract countRouting(
    market: 'base' | 'account',
    departures: { evictions: number; policyMoves: number },
    outcomes: { promised: number; realised: number },
  ): void;

  abstract countDeviation(): void;
}
