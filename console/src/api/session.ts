import { computed, signal } from '@preact/signals';
import { CONTRACTS, type Environment, type Scope } from './contract.js';
import { type ApiError, asApiError, errorOf } from './api-error.js';

export interface Session {
  id: string;
  label: string;
  scopes: Scope[];
  partner_id: string | null;
  environment: Environment;
  expires_at: string;
}

type SessionState =
  { state: 'starting' } | { state: 'out'; error: ApiError | null } | { state: 'in'; session: Session };

/** The only thing that is kept in the browser: until its tab is closed. */
const STORED = 'vaultline.session';
const CODE = /^#code=(.+)$/;

export const sessionState = signal<SessionState>({ state: 'starting' });
export const session = computed(() =>
  sessionState.value.state === 'in' ? sessionState.value.session : null,
);

/** Of the deployment that the session is at; signed out, the live one's. */
export const environment = (): Environment => session.value?.environment ?? 'live';

/** What its contract has. */
export const traits = () => CONTRACTS[environment()];

export const sessionKey = (): string | null => sessionStorage.getItem(STORED);

export const hasCode = (): boolean => CODE.test(location.hash);

/** Signs in by a code of the address, goes on with a session of this tab, or asks for a key. */
export async function resumeSession(): Promise<void> {
  const code = CODE.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  try {
    if (code !== undefined) await open({ code: decodeURIComponent(code) }, null);
    else if (sessionKey() === null) sessionState.value = { state: 'out', error: null };
    else
      sessionState.value = {
        state: 'in',
        session: await ask('GET', '/sessions/current', sessionKey(), null),
      };
  } catch (thrown) {
    endSession(asApiError(thrown));
  }
}

export interface SignIn {
  scopes: readonly Scope[];
  /** Seconds. */
  expires_in: number;
}

/**
 * Exchanges a key for a session; the key itself is kept nowhere. Of the scopes that are wished for it gets those of its key; where that has none of
 * them the server says what it has.
 */
export async function signIn(key: string, { scopes: wished, expires_in }: SignIn): Promise<void> {
  const of = await ask<Session>('GET', '/sessions/current', key, null);
  const scopes = wished.filter((scope) => of.scopes.includes(scope));
  await open({ ...(scopes.length > 0 && { scopes }), expires_in }, key);
}

async function open(body: Partial<SignIn> | { code: string }, key: string | null): Promise<void> {
  const { secret, ...opened } = await ask<Session & { secret: string }>('POST', '/sessions', key, body);
  sessionStorage.setItem(STORED, secret);
  sessionState.value = { state: 'in', session: opened };
}

export async function signOut(): Promise<void> {
  const key = sessionKey();
  endSession(null);
  // It expires by itself, too: whoever cannot reach the server is signed out of this browser all the same.
  if (key !== null) await ask('DELETE', '/sessions/current', key, null).catch(() => undefined);
}

export function endSession(error: ApiError | null): void {
  sessionStorage.removeItem(STORED);
  sessionState.value = { state: 'out', error };
}

async function ask<T>(method: string, path: string, key: string | null, body: unknown): Promise<T> {
  const headers = new Headers();
  if (key !== null) headers.set('Authorization', `Bearer ${key}`);
  if (body !== null) headers.set('Content-Type', 'application/json');
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response, answer);
  return (answer as { data: T }).data;
}

export const holds = (...scopes: readonly Scope[]): boolean =>
  scopes.some((scope) => session.value?.scopes.includes(scope));

/** Whether it may report what executors carry out. */
export const executes = (): boolean => session.value !== null && traits().executes && holds('write');
