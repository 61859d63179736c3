import { describe, expect, it } from '@jest/globals';
import { candidate, decisionInputs, IDLE, units } from '../../../../test/support/routing-candidate.js';
import { decide } from './choice.js';
import { legsOf } from './move-batch.js';

const AT = new Date('2026-03-12T10:00:00.000Z');

describe('the legs of a move out of a vault that pays out late', () => {
  it.each([
    ['alone pay for leaving, and for the rest', undefined, [1_000_000n, 1_000_000n]],
    // A tenth of the transaction: less than leaving costs.
    ['of a shared transaction pay their part of each', '90000000000', [100_000n, 100_000n]],
  ])('%s', (_, amount, costs) => {
    const candidates = [
      candidate({ vaultId: 'vlt_late', riskAdjustedApy: 0.03, promisedApy: 0.03, exitDelayHours: 2 }),
      candidate({ assets: units(100_000_000), liquidity: units(100_000_000) }),
    ];
    const shared = amount && { vaultId: 'vlt_target', amount, gain: '0', promise: '0' };
    const over = { currentVaultId: 'vlt_late', hoursInVault: 100, ...(shared && { shared }) };
    const record = decide(decisionInputs(candidates, over));
    const decision = { id: 'dec_a', marketId: 'base', partnerId: 'ptn_a', record, at: AT };
    const legs = legsOf({ ...decision, userId: null, positionId: null, positions: 1 }, null, AT);
    expect(legs).toMatchObject([
      { leg: 1, fromVaultId: 'vlt_late', toVaultId: IDLE, cost: costs[0] },
      { leg: 2, fromVaultId: IDLE, toVaultId: 'vlt_target', cost: costs[1] },
    ]);
  });
});
