import { createContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const { exit, getBuiltinModule } = process;

/**
 * The worker's own realm in place of a context a file. What tests compare is then made by the same constructors as what they compare it with, although
 * Node loads the modules and not Jest.
 */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  /** Jest loads parts of its own in it. */
  context = createContext();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    process.getBuiltinModule = getBuiltinModule;
  }

  /** Jest changes these for each file, and throws its context away afterwards; this one stays. */
  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    Object.assign(process, { exit, getBuiltinModule });
    this.context = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.context;
  }
}
