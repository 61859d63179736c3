import { useRoute } from 'preact-iso';
import type { ComponentType } from 'preact';
import type { Scope } from '../../api/contract.js';
import { holds, traits } from '../../api/session.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { Tabs } from '../../ui/tabs.js';
import { Alerts } from './alerts.js';
import { Bounds } from './bounds.js';
import { Campaigns } from './campaigns.js';
import { Health } from './health.js';
import { Invoices } from './invoices.js';
import { Keys } from './keys.js';
import { Partners } from './partners.js';
import { Reserves } from './reserves.js';
import { Settlements } from './settlements.js';
import { Vaults } from './vaults.js';

interface Part {
  name: string;
  /** A session with any of these scopes sees the part. */
  scopes: readonly Scope[];
  /** Whether the part exists only where executors carry moves out. */
  executing?: boolean;
  shown: ComponentType;
}

const READS: readonly Scope[] = ['read', 'partner:read'];

/** Parts of the screen by the end of their address. A further part is added here. */
const PARTS: Record<string, Part> = {
  partners: { name: 'Partners', scopes: ['partner:admin'], shown: Partners },
  keys: { name: 'Keys', scopes: ['keys:admin'], shown: Keys },
  campaigns: { name: 'Campaigns', scopes: ['partner:admin'], shown: Campaigns },
  invoices: { name: 'Invoices', scopes: ['partner:admin'], shown: Invoices },
  bounds: { name: 'Bounds', scopes: ['partner:admin'], shown: Bounds },
  settlements: { name: 'Settlements', scopes: ['write'], executing: true, shown: Settlements },
  reserves: { name: 'Reserves', scopes: ['partner:admin'], executing: true, shown: Reserves },
  vaults: { name: 'Vaults', scopes: READS, shown: Vaults },
  alerts: { name: 'Alerts', scopes: ['partner:admin'], shown: Alerts },
  health: { name: 'Health', scopes: ['partner:admin', 'keys:admin'], shown: Health },
};

const ROOT = '/console/administration';

/** The operator's screen: partners, keys, campaigns, invoices, bounds of policies, settlements, reserves, vaults, alerts and health. */
export function AdministrationScreen() {
  const open = Object.entries(PARTS).filter(
    ([, { scopes, executing }]) => holds(...scopes) && (!executing || traits().executes),
  );
  const asked = useRoute().params['part'] ?? open[0]?.[0] ?? '';
  const Shown = open.find(([name]) => name === asked)?.[1].shown;
  return (
    <Screen title="Administration" lead="The whole deployment: its keys, its work and its health.">
      <Tabs
        name="Administration"
        tabs={open.map(([part, { name }]) => ({ name, path: `${ROOT}/${part}` }))}
        current={`${ROOT}/${asked}`}
      />
      {Shown ? (
        <Shown />
      ) : (
        <Empty title="There is no such page, or this session may not see it.">
          <p>Sign in with more scopes ticked.</p>
        </Empty>
      )}
    </Screen>
  );
}
