import { computed, signal } from '@preact/signals';
import { CONTRACTS, type Environment, type Scope } from './contract.js';
import { ApiError, asApiError, errorOf } from './api-error.js';

export interface Session {
  id: string;
  label: string;
  scopes: Scope[];
  partner_id: string | null;
  partner_name: string | null;
  environment: Environment;
  expires_at: string;
}

type SessionState =
  { state: 'starting' } | { state: 'out'; error: ApiError | null } | { state: 'in'; session: Session };

/** The name of the only value stored in the browser: it lasts until the tab is closed. */
const STORED = 'vaultline.session';
const CODE = /^#code=(.+)$/;

export const sessionState = signal<SessionState>({ state: 'starting' });
/** Refusal of the sign-in link that was opened last, while this tab stays signed in. */
export const refusedCode = signal<ApiError | null>(null);
export const session = computed(() =>
  sessionState.value.state === 'in' ? sessionState.value.session : null,
);

/** The environment of the session's deployment; `live` without a session. */
export const environment = (): Environment => session.value?.environment ?? 'live';

/** Traits of the session's contract. */
export const traits = () => CONTRACTS[environment()];

export const sessionKey = (): string | null => sessionStorage.getItem(STORED);

export const hasCode = (): boolean => CODE.test(location.hash);

/**
 * Tabs of this origin, which hand their session to a tab that is opened beside them, and sign out together: `sessionStorage` alone is copied to no tab
 * that a ctrl-click opens.
 */
const tabs = new BroadcastChannel('vaultline.session');
const ASKED_MS = 150;

tabs.addEventListener('message', ({ data }: MessageEvent<'wanted' | 'ended' | { key: string }>) => {
  const key = sessionKey();
  if (data === 'wanted' && key !== null && session.value !== null) tabs.postMessage({ key });
  if (data === 'ended' && session.value !== null) endSession(null);
});

/** The session of another tab, or null. */
const handedOver = (): Promise<string | null> =>
  new Promise((resolve) => {
    const answered = ({ data }: MessageEvent<unknown>): void => {
      if (typeof data === 'object' && data !== null && 'key' in data) end(String(data.key));
    };
    const end = (key: string | null): void => {
      tabs.removeEventListener('message', answered);
      resolve(key);
    };
    tabs.addEventListener('message', answered);
    tabs.postMessage('wanted');
    setTimeout(() => end(null), ASKED_MS);
  });

/** Signs in by a code in the address, or resumes the session of this tab, which a refused code does not end; otherwise a key is asked for. */
export async function resumeSession(): Promise<void> {
  const code = CODE.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      return await open({ code }, null);
    } catch (thrown) {
      refusedCode.value = asApiError(thrown);
    }
  }
  if (session.value !== null) return;
  const key = sessionKey() ?? (await handedOver());
  if (key === null) return endSession(refusedCode.value);
  sessionStorage.setItem(STORED, key);
  try {
    sessionState.value = {
      state: 'in',
      session: await ask('GET', '/sessions/current', key, null),
    };
  } catch (thrown) {
    endSession(refusedCode.value ?? asApiError(thrown));
  }
}

interface SignIn {
  /** Whether the session is only to read. */
  reads: boolean;
  /** Duration in seconds. */
  expires_in: number;
}

const READING: readonly Scope[] = ['read', 'partner:read'];

/** Exchanges a key for a session with the scopes of the key, or those of them that read; the key itself is not stored. */
export async function signIn(key: string, { reads, expires_in }: SignIn): Promise<void> {
  const { scopes } = await ask<Session>('GET', '/sessions/current', key, null);
  const reading = scopes.filter((scope) => READING.includes(scope));
  if (reads && reading.length === 0)
    throw new ApiError(
      'nothing_to_look_at',
      `This key has no scope that only reads, but ${scopes.join(', ')}: untick “Only look”.`,
      null,
      0,
    );
  await open({ scopes: reads ? reading : scopes, expires_in }, key);
}

async function open(body: object, key: string | null): Promise<void> {
  const { secret, ...opened } = await ask<Session & { secret: string }>('POST', '/sessions', key, body);
  sessionStorage.setItem(STORED, secret);
  refusedCode.value = null;
  sessionState.value = { state: 'in', session: opened };
}

export async function signOut(): Promise<void> {
  const key = sessionKey();
  endSession(null);
  tabs.postMessage('ended');
  // The session also expires by itself: without a connection to the server, this browser still forgets it.
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

/** Whether the session may report what executors carry out. */
export const executes = (): boolean => session.value !== null && traits().executes && holds('write');
