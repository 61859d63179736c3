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

const keyOf = ({ kind, subject }: Pick<Fact, 'kind' | 'subject'>): string => `${kind} ${subject}`;

/**
 * Changes of a market's facts. A vault is evicted when its funds must leave at once, until it may hold funds again; it is silent after the given
 * hours without an observation, counted from its first hour where there was none, until the next one.
 * @param known open facts about vaults
 */
export function watchVaults(
  vaults: Iterable<RoutingVault>,
  known: readonly KnownFact[],
  { hour, rules, silentHours, unseen, onlyHeld }: Watch,
): WatchedVault {
  const begun: Fact[] = [];
  const holds = new Set<string>();
  const knownKeys = new Set(known.map(keyOf));
  const add = (fact: Fact, begins: boolean): void => {
    holds.add(keyOf(fact));
    if (begins && !knownKeys.has(keyOf(fact))) begun.push(fact);
  };
  for (const row of vaults) {
    const { vault, state, held } = row;
    if (isIdle(vault)) continue;
    const subject = vault.id;
    const gates = stayGatesOf(row, hour, rules);
    if (failedGates(gates).length > 0)
      add({ kind: 'vault_evicted', subject, why: whyLeft(gates), since: hour }, held > 0n);
    const since = state.observedHour ?? unseen.get(vault.id);
    if (vault.active && since !== undefined && hoursBetween(since, hour) >= silentHours) {
      const first = state.observedHour === null ? ', its first hour' : '';
      const why = `has not been observed since ${since.toISOString()}${first}`;
      add({ kind: 'vault_silent', subject, why, since }, held > 0n || !onlyHeld);
    }
  }
  return { begun, over: known.filter((fact) => fact.until === null && !holds.has(keyOf(fact))) };
}

/** The first failed gate gives the reason. */
function whyLeft(gates: readonly Gate[]): string {
  const { gate, value } = gates.find(({ passed }) => !passed)!;
  const lost = `${(Math.abs(value ?? 0) * 100).toFixed(2)} %`;
  if (gate === 'active') return 'is not active';
  if (gate === 'fresh') return value === null ? 'was never observed' : `was not observed for ${value} hours`;
  if (gate === 'quarantine') return `lost value or assets; it accepts no funds for another ${value} hours`;
  if (gate === 'liquidity') return 'is lent out: it can pay out only a small part of the holdings now';
  return gate === 'index'
    ? `lost ${lost} of its value a share within a day`
    : `lost ${lost} of its assets within a week`;
}
