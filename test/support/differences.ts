import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';

/** The differences that `vaultline ledger verify` finds in a deployment, a sentence each. */
export async function differencesOf(context: {
  get(type: typeof LedgerVerifier): LedgerVerifier;
}): Promise<string[]> {
  const differences: string[] = [];
  await context
    .get(LedgerVerifier)
    .run(({ subject, problem }) => void differences.push(`${subject}: ${problem}`));
  return differences;
}
