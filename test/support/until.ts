/** Waits until something holds. @throws Error when it does not in time */
export async function until(holds: () => Promise<boolean>, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms for what never came.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
