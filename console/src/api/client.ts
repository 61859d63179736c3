import createClient, { type Middleware } from 'openapi-fetch';
import type { LivePaths, SandboxPaths } from './contract.js';
import { ApiError, asApiError, errorOf } from './api-error.js';
import { noteRequest } from './requests.js';
import { endSession, sessionKey } from './session.js';

const API_ROOT = '/api/v1';

const authorized: Middleware = {
  async onRequest({ request }) {
    const key = sessionKey();
    if (key !== null) request.headers.set('Authorization', `Bearer ${key}`);
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? null : await request.clone().text();
    noteRequest({ method: request.method, path: pathname.slice(API_ROOT.length) + search, body });
    return request;
  },
};

const settings = { baseUrl: API_ROOT };

/** The client of operations that both contracts have, and of the sandbox's own. */
export const api = createClient<SandboxPaths>(settings);
/** The client of operations that only the live contract has, or answers differently. */
export const live = createClient<LivePaths>(settings);
api.use(authorized);
live.use(authorized);

/** A query of values from the address, unchecked: for a value that does not exist the server's refusal is shown. */
export const asked = (query: Record<string, string | number | undefined>): never => query as never;

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of an answer. @throws ApiError for a refusal; a refused key also ends the session */
export async function answered<T>(asking: Promise<Answer<T>>): Promise<T> {
  const answer = await asking.catch((thrown: unknown) => {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown;
    throw asApiError(thrown);
  });
  if (answer.data !== undefined && answer.response.ok) return answer.data;
  const error = errorOf(answer.response, answer.error);
  if (error.status === 401) endSession(error);
  throw error;
}

export { ApiError };
