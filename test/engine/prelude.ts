import { expect } from '@jest/globals';
import { listed } from '../support/catalogue.js';
import type { Engine } from '../support/engine.js';
import { heldBy } from './held.js';
import type { World } from './world.js';

/** Hours after which the signals of a lively engine are those of a calm market. */
const CALM_HOURS = 3;
/** Hours within which funds leave a vault that became worse. */
const HOURS_UNTIL_ORDERED = 5;
const LARGE = 10n ** 19n;

/** Ends what earlier lives left in the market: vaults without yield, or in quarantine. */
export async function calm(engine: Engine): Promise<void> {
  for (const vault of listed(engine.settings)) vault.active = true;
  engine.sights = Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: 0.05, tvl: LARGE }]));
  await engine.hours(CALM_HOURS);
  await engine.sql('UPDATE vault_states SET quarantined_until = NULL, quarantine_reason = NULL');
}

const vaultsOf = async ({ engine, partners }: World): Promise<Set<string>> => {
  const ids = partners.map(({ id }) => id);
  const open = [...(await heldBy(engine, ids)).values()].filter(({ status }) => status !== 'closed');
  return new Set(open.map(({ vaultId }) => vaultId));
};

/** From now on every vault but those of the partners' funds is better: funds move within hours. */
export async function turnYields(world: World): Promise<void> {
  const vaultIds = await vaultsOf(world);
  const yields = world.engine.settings.vaults.map(({ id }) => {
    return [id, { apy: vaultIds.has(id) ? 0.01 : 0.2, tvl: LARGE }] as const;
  });
  world.engine.sights = Object.fromEntries(yields);
}

/** A life without orders would prove little: what leaves for no better vault is evicted. */
export async function untilOrdered(world: World): Promise<void> {
  const { engine } = world;
  const { orders } = world.reported!;
  const vaultIds = await vaultsOf(world);
  await turnYields(world);
  for (let hour = 1; hour <= HOURS_UNTIL_ORDERED && orders.open.length === 0; hour++) {
    for (const vault of listed(engine.settings))
      vault.active = hour < HOURS_UNTIL_ORDERED || !vaultIds.has(vault.id);
    await engine.hours();
    expect(await orders.troubles()).toEqual([]);
  }
  for (const vault of listed(engine.settings)) vault.active = true;
}
