import fc from 'fast-check';
import { type Contract, CONTRACTS } from '../../src/config/deployments.js';
import { PublishedDocument } from '../support/published-document.js';
import { PATH, SEED } from '../support/runs.js';
import { type Operation, operationsIn } from '../conformance/operations.js';

/** `FUZZ_ONLY` is an `operationId`: only this operation is repeated. */
const { FUZZ_ONLY, FUZZ_RUNS } = process.env;

/** Whether the run includes this operation. */
const isAsked = ({ operationId }: { operationId: string }): boolean =>
  FUZZ_ONLY === undefined || FUZZ_ONLY === operationId;

/**
 * Operations that both contracts document alike run the same code, so that a short run tries every other one in each contract. Operations that one
 * contract documents differently are always tried, and a long run tries all of them in both.
 */
export function shareOf(contract: Contract, operations: readonly Operation[]): Operation[] {
  const asked = operations.filter(isAsked);
  if (FUZZ_RUNS !== undefined || FUZZ_ONLY !== undefined) return asked;
  const others = CONTRACTS.filter((item) => item !== contract);
  const elsewhere = new Set(
    others
      .flatMap((other) => operationsIn(new PublishedDocument(other).content))
      .map((item) => JSON.stringify(item)),
  );
  const alike = asked.filter((operation) => elsewhere.has(JSON.stringify(operation)));
  const turn = CONTRACTS.indexOf(contract);
  const ownShare = alike.toSorted(byName).filter((_, index) => index % CONTRACTS.length !== turn);
  return asked.filter((operation) => !ownShare.includes(operation));
}

const byName = (one: Operation, other: Operation): number =>
  one.operationId < other.operationId ? -1 : Number(one.operationId > other.operationId);

/**
 * Tries a number of generated values.
 *
 * @param name of the property; an `operationId` can be repeated alone
 * @param part of a run that is done in several parts: each tries other values
 * @throws Error with the command that repeats the failure
 */
export async function tryAll<Given>(
  name: string,
  cases: number,
  values: fc.Arbitrary<Given>,
  holds: (value: Given) => Promise<void>,
  part = 0,
): Promise<void> {
  await fc.assert(fc.asyncProperty(values, holds), {
    numRuns: cases,
    seed: seedOf(name, SEED + part),
    ...PATH,
    includeErrorInReport: true,
    // Shrinking is bounded: effects of earlier requests persist, so that a smaller request meets another state, and a few tries are enough.
    interruptAfterTimeLimit: 60_000 + 100 * cases,
    asyncReporter: async (details) => {
      if (!details.failed) return;
      const again = `FUZZ_SEED=${SEED + part} FUZZ_PATH=${details.counterexamplePath} FUZZ_ONLY=${name} npm test -- test/fuzz`;
      throw new Error(`${name}: ${await fc.asyncDefaultReportMessage(details)}\n\nAgain: ${again}`);
    },
  });
}

/** Each name has a seed of its own, so that two operations do not try the same unique values. */
const seedOf = (name: string, seed: number): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, seed);

/** Runs each item, whether or not others fail. @throws Error with all failures */
export async function each<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const [index, item] of items.entries()) {
    await work(item, index).catch((error: unknown) => failures.push((error as Error).message));
  }
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}
