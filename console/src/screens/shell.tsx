import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { CONTRACTS } from '../api/contract.js';
import { forgetRequests } from '../api/requests.js';
import { refusedCode, type Session, signOut } from '../api/session.js';
import { deployment, useDeployment, useVaultNames } from '../api/vaults.js';
import { spanText, Time } from '../format/time.js';
import { Refusal } from '../ui/state.js';
import { Search } from './search.js';
import { placeOf, placesOf } from './places.js';

/** The frame of every screen: navigation and session. */
export function Shell({ session, children }: { session: Session; children: ComponentChildren }) {
  const { path } = useLocation();
  const places = placesOf(session);
  const current = placeOf(places, path);
  useVaultNames();
  useDeployment();
  useLayoutEffect(forgetRequests, [path]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        To the content
      </a>
      <aside class="side" aria-label="Console">
        <p class="brand">
          <Mark /> Vaultline
        </p>
        <p
          class={`environment ${isSimulated(session.environment) ? 'sandbox' : session.environment}`}
          title={CONTRACTS[session.environment].remark}
        >
          {CONTRACTS[session.environment].name}
          {isSimulated(session.environment) && <span>simulated</span>}
        </p>
        <Search />
        <nav aria-label="Screens">
          <ul>
            {places.map((screen) => (
              <li key={screen.path}>
                <a href={screen.path} aria-current={screen === current ? 'page' : undefined}>
                  {screen.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <SessionFacts session={session} />
      </aside>
      <main id="main">
        {!CONTRACTS[session.environment].simulation && deployment.value.isSimulated && (
          <p class="banner" role="status">
            Yields of this deployment are simulated: none of these figures is of a real market.
          </p>
        )}
        {deployment.value.isUnobserved && (
          <p class="banner" role="alert">
            No feed has answered yet: no vault was ever observed, so deposits wait in cash.{' '}
            <a href="/console/administration/health">Health</a> names each feed.
          </p>
        )}
        {refusedCode.value && (
          <section aria-label="Sign-in link">
            <Refusal error={refusedCode.value} />
            <button type="button" class="small" onClick={() => (refusedCode.value = null)}>
              Dismiss
            </button>
          </section>
        )}
        {children}
      </main>
    </div>
  );
}

/** Whether yields are simulated: in the sandbox, and in a live deployment that has no feeds. */
const isSimulated = (environment: Session['environment']): boolean =>
  CONTRACTS[environment].simulation || deployment.value.isSimulated;

function SessionFacts({ session }: { session: Session }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="session">
      {session.partner_name !== null && <p class="session-partner">{session.partner_name}</p>}
      <p class="session-label" title={session.scopes.join(', ')}>
        {session.label}
      </p>
      <p class="session-left">
        ends in {spanText(Date.parse(session.expires_at) - now)}
        <span class="heard">
          , at <Time at={session.expires_at} />
        </span>
      </p>
      <button type="button" class="small" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" />
    <path d="M8 10l8 13 8-13" />
    <circle cx="16" cy="9.6" r="2.2" />
  </svg>
);
