import { type JudgedVault, keptOf } from '../routing/candidates.js';
import { failed, type Gate } from '../routing/gates.js';
import type { VaultRules } from '../routing/routing-constants.js';
import { hoursBetween } from '../vaults/hour.js';
import { isIdle } from '../vaults/vault.js';
import type { Fact, KnownFact } from './alert.js';

/** What is to be told of vaults. */
export interface Watched {
  begun: Fact[];
  over: KnownFact[];
}

interface Watch {
  /** In which the vaults are as they are. */
  hour: Date;
  rules: VaultRules;
  /** From which on a vault is silent. */
  silentHours: number;
  /** Whether a vault without funds is nobody's concern. */
  onlyHeld: boolean;
}

const keyOf = ({ kind, subject }: Pick<Fact, 'kind' | 'subject'>): string => `${kind} ${subject}`;

/**
 * What changed of a market's vaults. One is evicted from when funds that are in it leave at once, until it may keep funds again; it is silent from so many hours without an
 * observation on, until the next one.
 *
 * @param known of the vaults
 */
export function watchVaults(
  vaults: Iterable<JudgedVault>,
  known: readonly KnownFact[],
  { hour, rules, silentHours, onlyHeld }: Watch,
): Watched {
  const begun: Fact[] = [];
  const holds = new Set<string>();
  const knownKeys = new Set(known.map(keyOf));
  const add = (fact: Fact, begins: boolean): void => {
    holds.add(keyOf(fact));
    if (begins && !knownKeys.has(keyOf(fact))) begun.push(fact);
  };
  for (const one of vaults) {
    const { vault, state, held } = one;
    if (isIdle(vault)) continue;
    const subject = vault.id;
    const gates = keptOf(one, hour, rules);
    if (failed(gates).length > 0)
      add({ kind: 'vault_evicted', subject, why: whyLeft(gates), since: hour }, held > 0n);
    const since = state.observedHour;
    if (vault.active && since !== null && hoursBetween(since, hour) >= silentHours)
      add(
        { kind: 'vault_silent', subject, why: `has not been observed since ${since.toISOString()}`, since },
        held > 0n || !onlyHeld,
      );
  }
  return { begun, over: known.filter((fact) => fact.until === null && !holds.has(keyOf(fact))) };
}

/** The first gate that failed says it. */
function whyLeft(gates: readonly Gate[]): string {
  const { gate, value } = gates.find(({ passed }) => !passed)!;
  const lost = `${(Math.abs(value ?? 0) * 100).toFixed(2)} %`;
  if (gate === 'active') return 'is not active';
  if (gate === 'fresh') return value === null ? 'was never observed' : `was not observed for ${value} hours`;
  return gate === 'index'
    ? `lost ${lost} of its value a share within a day`
    : `lost ${lost} of its TVL within a day`;
}
