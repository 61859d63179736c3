// Jest's runner of a test file (jest-circus), with modules that Node loads. Jest's loader has a module registry for each file, and would load Nest,
// TypeORM and Swagger again for each one: two to four seconds of CPU.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import './typescript.mjs';

const require = createRequire(import.meta.url);
/** Properties that jest-circus keeps on the global object: event handlers, and the timeout that a file set. */
const KEPT_BY_CIRCUS = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));
const [, TIMEOUT] = KEPT_BY_CIRCUS;

let files = 0;

export default function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  for (const symbol of KEPT_BY_CIRCUS) delete globalThis[symbol];
  // Jest maps the stack traces of modules that its own loader compiled; Node maps those of the modules that Node loads.
  Error.prepareStackTrace = undefined;
  const { moduleMocker, fakeTimersModern: timers } = environment;
  const jest = {
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    // Node's streams need these two, and they run in this realm as well.
    useFakeTimers: () => timers.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }),
    useRealTimers: () => timers.useRealTimers(),
    getTimerCount: () => timers.getTimerCount(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    setTimeout: (ms) => void (globalThis[TIMEOUT] = ms),
  };
  const loader = Object.assign(Object.create(runtime), {
    requireInternalModule: (path) => {
      // The state of jest-circus belongs to one file: tests, hooks, results.
      delete require.cache[path];
      return require(path);
    },
    setGlobalsForRuntime: (globals) => void (globalThis.jestGlobals = { ...globals, jest }),
    unstable_shouldLoadAsEsm: () => true,
    // A file that changed in watch mode is loaded as a new module.
    unstable_importModule: (path) => import(`${pathToFileURL(path)}?file=${++files}`),
    enterTestCode: () => runtime.enterTestCode(),
    leaveTestCode: () => runtime.leaveTestCode(),
  });
  return circus.default(globalConfig, config, environment, loader, testPath, sendMessageToJest);
}
