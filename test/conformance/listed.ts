import type { Caller } from './caller.js';
import { dataOf } from './check.js';
import type { Exchange } from './exchange.js';

const LISTED_WITHIN_MS = 10_000;

/**
 * A list of events once it has those that are waited for, or as it is after ten seconds. An event is listed once no earlier one can follow it: a
 * transaction of somebody else, that began before it and goes on, holds it up.
 */
export async function listedOnce(
  caller: Caller,
  path: string,
  are: (events: any[]) => boolean,
): Promise<Exchange> {
  const deadline = Date.now() + LISTED_WITHIN_MS;
  for (;;) {
    const answer = await caller.get(path);
    if (are(dataOf(answer, 200)) || Date.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
