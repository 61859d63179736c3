import { describe, expect, it } from '@jest/globals';
import { candidate, units, THRESHOLDS } from '../../../../test/support/routing-candidate.js';
import { decide } from './choice.js';
import type { DecisionInputs } from './decision.js';
import { type Candidate, failed, limitGates } from './gates.js';
import { partialTargets } from './partial-move.js';

const CONSTANTS = THRESHOLDS;
const held = (rates: Record<string, [number, Partial<Candidate>]>, over: Partial<DecisionInputs> = {}) =>
  decide({
    asset: 'USDC',
    amount: units(8_000_000),
    groupAmount: units(8_000_000),
    book: units(8_000_000),
    positions: 1,
    currentVaultId: 'vlt_a',
    hoursInVault: 100,
    idle: { vaultId: 'vlt_idle_usdc', cost: units(1) },
    snapshotHour: '2026-03-12T10:00:00.000Z',
    configVersion: 'v1',
    constants: CONSTANTS,
    candidates: Object.entries(rates).map(([vaultId, [rate, more]]) =>
      candidate({
        vaultId,
        riskAdjustedApy: rate,
        promisedApy: rate,
        assets: units(120_000_000),
        liquidity: units(120_000_000),
        ...more,
      }),
    ),
    ...over,
  });

describe('the target of a partial move', () => {
  it.each<[Partial<Candidate>, string]>(
    // prettier-ignore
    [
      // A tenth of the TVL.
      [{ assets: units(20_000_000), liquidity: units(20_000_000) }, units(2_000_000)],
      // (held + A) / (TVL + A) is 15 %.
      [{ assets: units(20_000_000), liquidity: units(20_000_000), held: units(2_000_000) }, '1176470588235'],
      [{ assets: units(20_000_000), liquidity: units(20_000_000), capacity: units(500_000), held: units(100_000)}, units(400_000)],
    ],
  )('with %j has headroom for %s micro-units', (over, amount) => {
    const decision = held({ vlt_a: [0.03, {}], vlt_b: [0.08, over] });
    expect(decision.kind).toBe('hold');
    const rooms = partialTargets(decision);
    expect(rooms).toEqual([{ vaultId: 'vlt_b', amount: BigInt(amount) }]);
    const target = decision.inputs.candidates.find(({ vaultId }) => vaultId === 'vlt_b')!;
    expect(failed(limitGates(target, rooms[0]!.amount, CONSTANTS))).toEqual([]);
    expect(failed(limitGates(target, rooms[0]!.amount + 1_000_000n, CONSTANTS))).not.toEqual([]);
  });

  it('is a vault in which a part gains more than the whole elsewhere, the highest gain first', () => {
    const vaults = {
      vlt_a: [0.03, {}],
      vlt_b: [0.032, {}],
      vlt_c: [0.08, { assets: units(20_000_000), liquidity: units(20_000_000) }],
      vlt_d: [0.06, { assets: units(70_000_000), liquidity: units(70_000_000) }],
      vlt_e: [0.04, { assets: units(10_000_000), liquidity: units(10_000_000) }],
      vlt_f: [0.09, { active: false, assets: units(20_000_000), liquidity: units(20_000_000) }],
    } satisfies Record<string, [number, Partial<Candidate>]>;
    const decision = held(vaults);
    expect(decision).toMatchObject({ kind: 'rebalance', toVaultId: 'vlt_b' });
    expect(partialTargets(decision).map(({ vaultId }) => vaultId)).toEqual(['vlt_d', 'vlt_c']);
  });

  it('does not exist for an eviction or a deposit', () => {
    const vaults = {
      vlt_a: [0.03, { active: false }],
      vlt_b: [0.08, { assets: units(20_000_000), liquidity: units(20_000_000) }],
    } satisfies Record<string, [number, Partial<Candidate>]>;
    expect(partialTargets(held(vaults))).toEqual([]);
    expect(partialTargets(held(vaults, { currentVaultId: null }))).toEqual([]);
  });

  it('exists for cash that no vault can take whole', () => {
    const cash = held(
      { vlt_b: [0.03, { assets: units(20_000_000), liquidity: units(20_000_000) }] },
      { currentVaultId: 'vlt_idle_usdc' },
    );
    expect(partialTargets(cash)).toEqual([{ vaultId: 'vlt_b', amount: BigInt(units(2_000_000)) }]);
  });
});
