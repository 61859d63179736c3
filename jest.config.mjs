import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
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
  testTimeout: 60_000,
};
