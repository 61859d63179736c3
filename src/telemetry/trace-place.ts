import { AsyncLocalStorage } from 'node:async_hooks';

/** Trace of the current execution. Separate from the recorder, which is loaded only when tracing is on. */
export const tracePlace = new AsyncLocalStorage<{ readonly traceId: string }>();
