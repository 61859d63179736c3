/** Waits until something holds. @throws Error after ten seconds */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('Waited ten seconds for what never came.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
