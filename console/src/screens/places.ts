import { CONTRACTS, type Environment, type Scope } from '../api/contract.js';
import { executes, type Session, session } from '../api/session.js';

interface Place {
  name: string;
  path: string;
  /** Any of them opens it. */
  scopes: readonly Scope[];
  /** What opens it beside, where executors carry moves out. */
  executing?: readonly Scope[];
  /** Of a key that is bound to a partner. */
  bound?: boolean;
  simulation?: boolean;
}

export const ROOT = '/console';

/** The screens, in the order of the navigation. What a session may not see is not shown to it. */
const PLACES: readonly Place[] = [
  { name: 'Overview', path: ROOT, scopes: ['partner:read'], bound: true },
  { name: 'Decisions', path: `${ROOT}/decisions`, scopes: ['partner:read'], bound: true },
  { name: 'Yields', path: `${ROOT}/yields`, scopes: ['read', 'partner:read'] },
  { name: 'Users', path: `${ROOT}/users`, scopes: ['partner:read'], bound: true },
  { name: 'Positions', path: `${ROOT}/positions`, scopes: ['partner:read'], bound: true },
  { name: 'Webhooks', path: `${ROOT}/webhooks`, scopes: ['partner:read'], bound: true },
  { name: 'Sandbox', path: `${ROOT}/sandbox`, scopes: ['partner:read'], bound: true, simulation: true },
  {
    name: 'Administration',
    path: `${ROOT}/administration`,
    scopes: ['partner:admin', 'keys:admin'],
    executing: ['write'],
  },
];

const opening = ({ scopes, executing = [] }: Place, environment: Environment): readonly Scope[] =>
  CONTRACTS[environment].executes ? [...scopes, ...executing] : scopes;

export const placesOf = ({ scopes, partner_id, environment }: Session): readonly Place[] =>
  PLACES.filter(
    (place) =>
      opening(place, environment).some((scope) => scopes.includes(scope)) &&
      (!place.bound || partner_id !== null) &&
      (!place.simulation || CONTRACTS[environment].simulation),
  );

/** The place that an address belongs to: the longest path that begins it. */
export const placeOf = (places: readonly Place[], path: string): Place | undefined =>
  places
    .filter((place) => path === place.path || path.startsWith(`${place.path}/`))
    .sort((a, b) => b.path.length - a.path.length)
    .find((place) => place.path !== ROOT || path === ROOT);

/** Whether this session sees the screen at an address, also one below no place of its navigation: any opens a vault, and an executor's a position. */
export function isOpen(address: string): boolean {
  const { value } = session;
  if (value === null) return false;
  const [path = ''] = address.split('?');
  const places = placesOf(value);
  if (path.startsWith(`${ROOT}/vaults/`)) return places.length > 0;
  return placeOf(places, path) !== undefined || (path.startsWith(`${ROOT}/positions/`) && executes());
}
