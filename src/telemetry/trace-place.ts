import { AsyncLocalStorage } from 'node:async_hooks';

/** The trace that what runs here belongs to. Apart from what records it, which is loaded only where that is wanted. */
export const tracePlace = new AsyncLocalStorage<{ readonly traceId: string }>();
