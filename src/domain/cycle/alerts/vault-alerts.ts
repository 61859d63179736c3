import { type RoutingVault, stayGatesOf } from '../../routing/allocation/candidates.js';
import type { Gate } from '../../routing/allocation/gate.js';
import { failedGates } from '../../routing/allocation/gates.js';
import type { VaultRules } from '../../routing/allocation/routing-constants.js';
import { hoursBetween } from '../../kernel/clock.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';
import type { Fact, KnownFact } from '../../outbound/alerts/alert.js';

export interface WatchedVault {
  begun: Fact[];
  over: KnownFact[];
}

interface Watch {
  hour: Date;
  rules: VaultRules;
  /** Hours without an observation after which a vault is silent. */
  silentHours: number;
  /** First hour of each vault that was never observed, by id. */
  unseen: ReadonlyMap<string, Date>;
  onlyHeld: boolean;
}

export const isOfVaults = ({ kind }: Fact): boolean => kind === 'vault_evicted' || kind === 'vault_silent';

const keyOf = ({ kind, subject }: Pick<Fact, 'kind' | 'subject'>): string => `${kind} ${subject}`;

/**
 * Changes of a market's facts. A vault is evicted while its funds must leave at once. It is silent after the given hours without an observation,
 * counted from its first hour if it was never observed.
 * @param facts open facts about vaults
 */
export function watchVaults(
  vaults: Iterable<RoutingVault>,
  facts: readonly KnownFact[],
  { hour, rules, silentHours, unseen, onlyHeld }: Watch,
): WatchedVault {
  const begun: Fact[] = [];
  const current = new Set<string>();
  const factKeys = new Set(facts.map(keyOf));
  const add = (fact: Fact, begins: boolean): void => {
    current.add(keyOf(fact));
    if (begins && !factKeys.has(keyOf(fact))) begun.push(fact);
  };
  for (const row of vaults) {
    const { vault, state } = row;
    if (isIdle(vault)) continue;
    const isHeld = row.held > 0n;
    const subject = vault.id;
    const gates = stayGatesOf(row, hour, rules);
    if (failedGates(gates).length > 0)
      add({ kind: 'vault_evicted', subject, why: evictionReason(gates), since: hour }, isHeld);
    const since = state.observedHour ?? unseen.get(vault.id);
    if (vault.active && since !== undefined && hoursBetween(since, hour) >= silentHours) {
      const first = state.observedHour === null ? ', its first hour' : '';
      const why = `has not been observed since ${since.toISOString()}${first}`;
      add({ kind: 'vault_silent', subject, why, since }, isHeld || !onlyHeld);
    }
  }
  return { begun, over: facts.filter((fact) => fact.until === null && !current.has(keyOf(fact))) };
}

/** The first failed gate gives the reason. */
function evictionReason(gates: readonly Gate[]): string {
  const { gate, value } = gates.find(({ passed }) => !passed)!;
  const lost = `${(Math.abs(value ?? 0) * 100).toFixed(2)} %`;
  if (gate === 'active') return 'is not active';
  if (gate === 'fresh')
    return value === null ? 'was never observed' : `has not been observed for ${value} hours`;
  if (gate === 'quarantine') return `lost value or assets; it accepts no funds for another ${value} hours`;
  if (gate === 'liquidity') return 'is lent out: it can pay out only a small part of the holdings now';
  return gate === 'index'
    ? `lost ${lost} of its value per share within a day`
    : `lost ${lost} of its assets within a week`;
}
