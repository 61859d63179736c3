import { exposureLimits } from '../../tenants/policies/exposure-limits.js';
import type { DecisionInputs, Exposure, Shares } from './decision.js';
import { type Candidate, ratio } from './gates.js';

/** Exposure of the partner, by its own funds alone. @param toVaultId null: the funds stay */
export function exposureOf(inputs: DecisionInputs, toVaultId: string | null): Exposure {
  const { candidates, constants, currentVaultId, idle, policy } = inputs;
  const [amount, book] = [BigInt(inputs.amount), BigInt(inputs.book)];
  const own = new Map(candidates.map((one) => [one.vaultId, BigInt(one.own)]));
  const cash = book - [...own.values()].reduce((sum, one) => sum + one, 0n);
  const deposited = currentVaultId === null ? amount : 0n;
  own.set(idle.vaultId, cash > deposited ? cash - deposited : 0n);
  const before = sharesOf(candidates, own, book - deposited);
  if (toVaultId !== null) {
    if (currentVaultId !== null) own.set(currentVaultId, (own.get(currentVaultId) ?? 0n) - amount);
    own.set(toVaultId, (own.get(toVaultId) ?? 0n) + amount);
  }
  const after = sharesOf(candidates, own, book);
  const most = exposureLimits(constants.exposure, policy?.exposure, policy?.exposureBounds);
  const tiers = new Map(candidates.map((one) => [one.vaultId, tierOf(one)]));
  const limited = (kind: keyof Shares, limit: (name: string) => number): Record<string, number> =>
    Object.fromEntries(Object.keys({ ...before[kind], ...after[kind] }).map((name) => [name, limit(name)]));
  return {
    before,
    after,
    limits: {
      vaults: limited('vaults', (id) => (tiers.has(id) ? most.vault[tiers.get(id)!] : 1)),
      tiers: limited('tiers', (tier) => most.tier[tier as keyof typeof most.tier]),
      venues: limited('venues', (venue) => most.venue[venue] ?? 1),
    },
  };
}

const tierOf = ({ riskTier = 'low' }: Candidate): 'low' | 'medium' | 'high' => riskTier;

function sharesOf(candidates: readonly Candidate[], own: ReadonlyMap<string, bigint>, book: bigint): Shares {
  const byName = (name: (id: string) => string | undefined): Record<string, number> => {
    const sums = new Map<string, bigint>();
    for (const [id, amount] of own) {
      const of = name(id);
      if (of !== undefined && amount > 0n) sums.set(of, (sums.get(of) ?? 0n) + amount);
    }
    return Object.fromEntries([...sums].map(([of, sum]) => [of, ratio(sum, book) ?? 0]));
  };
  const known = new Map(candidates.map((one) => [one.vaultId, one]));
  return {
    vaults: byName((id) => id),
    tiers: byName((id) => (known.has(id) ? tierOf(known.get(id)!) : undefined)),
    venues: byName((id) => known.get(id)?.venue),
  };
}
