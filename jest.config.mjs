import { availableParallelism } from 'node:os';

/**
 * `*.long.spec.ts` are suites that kill processes, drive a browser, feed generated input or live through months. `npm run test:long` runs them with all the
 * others, and so does whoever names paths. The variable reaches the workers by their environment.
 */
const named = process.argv.slice(2).some((argument) => !argument.startsWith('-') && argument.includes('/'));
if (named) process.env.LONG ??= '1';
const long = process.env.LONG === '1';

/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(long ? [] : ['\\.long\\.spec\\.ts$'])],
  transform: {},
  testEnvironment: '<rootDir>/test/runner/environment.mjs',
  testRunner: '<rootDir>/test/runner/runner.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testSequencer: '<rootDir>/test/runner/longest-first.sequencer.mjs',
  reporters: ['default', '<rootDir>/test/runner/slowest.reporter.mjs'],
  // More than cores: suites that restart and cut things off wait for much of their time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Modules of a finished test stay in its worker's memory: past this a new one takes its place, before collecting garbage takes most of the time.
  workerIdleMemoryLimit: '1500MB',
  // At its end a worker writes Node's compile cache, which takes longer than the half second of Jest's default.
  workerGracefulExitTimeout: 10_000,
  testTimeout: 180_000,
};
