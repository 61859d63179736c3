import { describe, expect, it } from '@jest/globals';
import { candidate, decisionInputs, THRESHOLDS, units } from '../../../../test/support/routing-candidate.js';
import { decide } from './choice.js';
import type { DecisionInputs, Candidate } from './decision.js';
import { failedGates, limitGates } from './gates.js';
import { partialTargets } from './partial-move.js';

/** Deposits of a vault, all of them liquid. */
const deep = (assets: number) => ({ assets: units(assets), liquidity: units(assets) });
const SMALL = deep(20_000_000);

/** A decision on 8 million in the vault a, by the rates of vaults with 120 million. */
const heldFunds = (
  rates: Record<string, [number, Partial<Candidate>?]>,
  over: Partial<DecisionInputs> = {},
) => {
  const candidates = Object.entries(rates).map(([vaultId, [rate, more]]) =>
    candidate({ vaultId, riskAdjustedApy: rate, promisedApy: rate, ...deep(120_000_000), ...more }),
  );
  const holding = { amount: units(8_000_000), currentVaultId: 'vlt_a', hoursInVault: 100 };
  return decide(decisionInputs(candidates, { ...holding, ...over }));
};

describe('the target of a partial move', () => {
  it.each<[Partial<Candidate>, string]>(
    // prettier-ignore
    [
      // A tenth of the TVL.
      [SMALL, units(2_000_000)],
      // (held + A) / (TVL + A) is 15 %.
      [{ ...SMALL, held: units(2_000_000) }, '1176470588235'],
      [{ ...SMALL, capacity: units(500_000), held: units(100_000)}, units(400_000)],
    ],
  )('The target of a partial move with %j has headroom for %s micro-units', (over, amount) => {
    const decision = heldFunds({ vlt_a: [0.03], vlt_b: [0.08, over] });
    expect(decision.kind).toBe('hold');
    const rooms = partialTargets(decision);
    expect(rooms).toEqual([{ vaultId: 'vlt_b', amount: BigInt(amount) }]);
    const target = decision.inputs.candidates.find(({ vaultId }) => vaultId === 'vlt_b')!;
    expect(failedGates(limitGates(target, rooms[0]!.amount, THRESHOLDS))).toEqual([]);
    expect(failedGates(limitGates(target, rooms[0]!.amount + 1_000_000n, THRESHOLDS))).not.toEqual([]);
  });

  it('The target of a partial move is a vault in which a part gains more than the whole elsewhere, the highest gain first', () => {
    const vaults: Parameters<typeof heldFunds>[0] = {
      vlt_a: [0.03],
      vlt_b: [0.032],
      vlt_c: [0.08, SMALL],
      vlt_d: [0.06, deep(70_000_000)],
      vlt_e: [0.04, deep(10_000_000)],
      vlt_f: [0.09, { active: false, ...SMALL }],
    };
    const decision = heldFunds(vaults);
    expect(decision).toMatchObject({ kind: 'rebalance', toVaultId: 'vlt_b' });
    expect(partialTargets(decision).map(({ vaultId }) => vaultId)).toEqual(['vlt_d', 'vlt_c']);
  });

  it('The target of a partial move does not exist for an eviction or a deposit', () => {
    const vaults: Parameters<typeof heldFunds>[0] = {
      vlt_a: [0.03, { active: false }],
      vlt_b: [0.08, SMALL],
    };
    expect(partialTargets(heldFunds(vaults))).toEqual([]);
    expect(partialTargets(heldFunds(vaults, { currentVaultId: null }))).toEqual([]);
  });

  it('The target of a partial move exists for cash that no vault can take whole', () => {
    const cash = heldFunds({ vlt_b: [0.03, SMALL] }, { currentVaultId: 'vlt_idle_usdc' });
    expect(partialTargets(cash)).toEqual([{ vaultId: 'vlt_b', amount: BigInt(units(2_000_000)) }]);
  });
});
