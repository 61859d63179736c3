/** The polling interval: shorter intervals would keep a core busy, and slow down what the test waits for. */
const LONGEST_PAUSE_MS = 50;

/** Waits until a condition holds. @throws Error when it does not in time */
export async function until(holds: () => Promise<boolean>, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  for (let pause = 5; !(await holds()); pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms for what never came.`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
