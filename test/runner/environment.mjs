import { createContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const { exit, getBuiltinModule } = process;

/**
 * The worker's own realm instead of a context for each file. Values under test and expected values then have the same constructors, although Node
 * loads the modules and not Jest.
 */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  /** A context that Jest loads parts of its own in. */
  context = createContext();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    process.getBuiltinModule = getBuiltinModule;
  }

  /** Jest changes these globals for each file and discards its context afterwards; this realm stays, so they are restored. */
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
