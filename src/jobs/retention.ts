import type { Logger } from 'pino';

/**
 * Retention of tables that would otherwise grow for ever. A failure of one part does not stop the others.
 * @param parts each returns the number of its removed rows
 */
export async function removeEach(log: Logger, parts: Record<string, () => Promise<number>>): Promise<void> {
  const removed: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [name, part] of Object.entries(parts)) {
    await part().then(
      (rows) => (removed[name] = rows),
      (error: unknown) => failures.push(error),
    );
  }
  log.debug({ removed }, 'retention');
  if (failures.length > 0) throw failures[0];
}
