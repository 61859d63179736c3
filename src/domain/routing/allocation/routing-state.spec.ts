import { describe, expect, it } from '@jest/globals';
import { addHours } from '../../kernel/clock.js';
import { pendingMoves, type OpenOrder } from './routing-state.js';

const HOUR = new Date('2026-01-15T14:00:00.000Z');

describe('moves that later decisions count', () => {
  const counted = (status: OpenOrder['status'], arrivesHour: Date | null): (string | null)[] => {
    const order = { partnerId: 'ptn_1', positionId: null, urgent: false, amount: 5n };
    const way = { fromVaultId: 'vlt_a', toVaultId: 'vlt_b' };
    return pendingMoves([{ ...order, ...way, status, arrivesHour }], HOUR).map(
      ({ fromVaultId }) => fromVaultId,
    );
  };

  it('Moves that later decisions count are those of executors, which have left their vault once they arrive', () => {
    expect(counted('requested', null)).toEqual(['vlt_a']);
    expect(counted('arriving', null)).toEqual([null]);
  });

  it('Moves that later decisions count are those of the server that are late; the others arrive within the hour', () => {
    expect(counted('requested', addHours(HOUR, -3))).toEqual(['vlt_a']);
    expect(counted('arriving', addHours(HOUR, -1))).toEqual([null]);
    expect(counted('arriving', HOUR)).toEqual([]);
  });
});
