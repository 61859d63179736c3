/** Environment of every child process of a test, besides its settings: the PATH, and the run's cache of compiled modules. */
export const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Deadline of a program that ends by itself. */
export const ENDS = { timeout: 900_000, killSignal: 'SIGKILL' } as const;

/** Deadline of a server, which is stopped by its suite or its measurement, however long that takes. */
export const SERVES = { timeout: 6 * 3_600_000, killSignal: 'SIGKILL' } as const;
