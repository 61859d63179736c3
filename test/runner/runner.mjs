// Jest's own runner of a test file (jest-circus), with modules that Node loads. Jest's loader keeps a registry a file, and would read Nest, TypeORM
// and Swagger anew for each one: two to four seconds of a core.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import './typescript.mjs';

const require = createRequire(import.meta.url);
/** What jest-circus keeps on the global object: handlers of events, and the timeout that a file asked for. */
const KEPT_BY_CIRCUS = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));
const [, TIMEOUT] = KEPT_BY_CIRCUS;

let files = 0;

export default function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  for (const symbol of KEPT_BY_CIRCUS) delete globalThis[symbol];
  // Jest maps stacks of what its own loader compiled; Node maps those of what it loads itself.
  Error.prepareStackTrace = undefined;
  const { moduleMocker, fakeTimersModern: timers } = environment;
  const jest = {
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    // Node's own streams run by these two, in this realm as well.
    useFakeTimers: () => timers.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }),
    useRealTimers: () => timers.useRealTimers(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    setTimeout: (ms) => void (globalThis[TIMEOUT] = ms),
  };
  const loader = Object.assign(Object.create(runtime), {
    requireInternalModule: (path) => {
      // Its state is a file's: tests, hooks, results.
      delete require.cache[path];
      return require(path);
    },
    setGlobalsForRuntime: (globals) => void (globalThis.jestGlobals = { ...globals, jest }),
    unstable_shouldLoadAsEsm: () => true,
    // A watched file that changed is another module.
    unstable_importModule: (path) => import(`${pathToFileURL(path)}?file=${++files}`),
    enterTestCode: () => runtime.enterTestCode(),
    leaveTestCode: () => runtime.leaveTestCode(),
  });
  return circus.default(globalConfig, config, environment, loader, testPath, sendMessageToJest);
}
