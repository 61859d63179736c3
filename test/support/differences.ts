import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';

/** The differences that `vaultline ledger verify` finds in a deployment, a sentence each. */
export async function differencesOf(
  context: { get(type: typeof LedgerVerifier): LedgerVerifier },
  isFull = true,
): Promise<string[]> {
  const found: string[] = [];
  await context
    .get(LedgerVerifier)
    .run(isFull, ({ subject, problem }) => void found.push(`${subject}: ${problem}`));
  return found;
}
