import { describe, expect, it } from '@jest/globals';
import { ProviderFault } from './chain-faults.js';
import { toReceipt } from './receipt.js';

const HASH = `0x${'a1'.repeat(32)}` as const;
const LOG = { address: `0x${'b2'.repeat(20)}`, topics: [HASH], data: '0x' };
const receiptWith = (log: unknown) => ({
  transactionHash: HASH,
  blockHash: HASH,
  blockNumber: '0x1',
  status: '0x1',
  logs: [log],
});

describe('a receipt', () => {
  it('A receipt has its logs as the provider gives them', () => {
    expect(toReceipt(receiptWith(LOG), HASH)?.logs).toEqual([LOG]);
  });

  it.each([
    ['is null', null],
    ['is text', 'log'],
    ['has no topics', { ...LOG, topics: undefined }],
    ['has a topic that is no text', { ...LOG, topics: [null] }],
    ['has no data', { ...LOG, data: null }],
  ])('A receipt is a fault of the provider if a log %s', (_, log) => {
    expect(() => toReceipt(receiptWith(log), HASH)).toThrow(ProviderFault);
  });
});
