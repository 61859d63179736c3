import { CONTRACTS, type Environment, type Scope } from '../api/contract.js';
import { executes, type Session, session } from '../api/session.js';

interface Place {
  name: string;
  path: string;
  /** A session with any of these scopes sees the screen. */
  scopes: readonly Scope[];
  /** Further scopes that open it where executors carry moves out. */
  executing?: readonly Scope[];
  /** Whether the key must be bound to a partner. */
  bound?: boolean;
  simulation?: boolean;
  /** Whether the screen exists only where executors carry moves out. */
  executed?: boolean;
}

export const ROOT = '/console';

/** Screens in the order of the navigation. A session sees only those that it may open. */
const PLACES: readonly Place[] = [
  { name: 'Overview', path: ROOT, scopes: ['partner:read'], bound: true },
  { name: 'Decisions', path: `${ROOT}/decisions`, scopes: ['partner:read'], bound: true },
  { name: 'Money map', path: `${ROOT}/money`, scopes: ['partner:read'], bound: true },
  { name: 'Yields', path: `${ROOT}/yields`, scopes: ['read', 'partner:read'] },
  { name: 'Users', path: `${ROOT}/users`, scopes: ['partner:read'], bound: true },
  { name: 'Positions', path: `${ROOT}/positions`, scopes: ['partner:read'], bound: true },
  { name: 'Orders', path: `${ROOT}/orders`, scopes: ['partner:read'], bound: true },
  { name: 'Orders', path: `${ROOT}/orders`, scopes: ['write'], executed: true },
  { name: 'Withdrawals', path: `${ROOT}/withdrawals`, scopes: ['partner:read'], bound: true },
  { name: 'Withdrawals', path: `${ROOT}/withdrawals`, scopes: ['write'], executed: true },
  { name: 'Statements', path: `${ROOT}/statements`, scopes: ['partner:read'], bound: true },
  { name: 'Webhooks', path: `${ROOT}/webhooks`, scopes: ['partner:read'], bound: true },
  { name: 'Sandbox', path: `${ROOT}/sandbox`, scopes: ['partner:read'], bound: true, simulation: true },
  {
    name: 'Administration',
    path: `${ROOT}/administration`,
    scopes: ['partner:admin', 'keys:admin'],
    executing: ['write'],
  },
  // An administrator resolves reports, and still begins with the administration.
  { name: 'Orders', path: `${ROOT}/orders`, scopes: ['partner:admin'], executed: true },
  { name: 'Audit', path: `${ROOT}/audit`, scopes: ['partner:admin', 'keys:admin'] },
  { name: 'Audit', path: `${ROOT}/audit`, scopes: ['partner:read'], bound: true },
];

const opening = ({ scopes, executing = [] }: Place, environment: Environment): readonly Scope[] =>
  CONTRACTS[environment].executes ? [...scopes, ...executing] : scopes;

export const placesOf = ({ scopes, partner_id, environment }: Session): readonly Place[] =>
  PLACES.filter(
    (screen) =>
      opening(screen, environment).some((scope) => scopes.includes(scope)) &&
      (!screen.bound || partner_id !== null) &&
      (!screen.simulation || CONTRACTS[environment].simulation) &&
      (!screen.executed || CONTRACTS[environment].executes),
  ).filter(({ path }, at, all) => all.findIndex((screen) => screen.path === path) === at);

/** The place of an address: the one with the longest matching path. */
export const placeOf = (places: readonly Place[], path: string): Place | undefined =>
  places
    .filter((screen) => path === screen.path || path.startsWith(`${screen.path}/`))
    .sort((a, b) => b.path.length - a.path.length)
    .find((screen) => screen.path !== ROOT || path === ROOT);

/**
 * Whether this session may open the screen at an address. Some addresses are below no place of the navigation: every session may open a vault, and an
 * executor a position.
 */
export function isOpen(address: string): boolean {
  const { value } = session;
  if (value === null) return false;
  const [path = ''] = address.split('?');
  const places = placesOf(value);
  if (path.startsWith(`${ROOT}/vaults/`)) return places.length > 0;
  return placeOf(places, path) !== undefined || (path.startsWith(`${ROOT}/positions/`) && executes());
}
