import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { ExecutedFunds } from '../support/chain/executed-funds.js';
import { dataOf } from '../support/fields.js';
import type { TestPartner } from '../support/partner.js';

/** What goes wrong around the executor's own process, against a deployment and a chain. */
describe('the executor in trouble', () => {
  let funds: ExecutedFunds;
  let partner: TestPartner;
  let wallet: Hex;
  let userId: string;
  /** Of the wallet. */
  let deposits = 0;

  beforeAll(async () => {
    funds = await ExecutedFunds.start();
    await funds.stage.market.app.application.get(HousekeepingTimer).stop();
    ({ partner } = await funds.stage.party());
    wallet = funds.anvil.accounts[2]!;
    userId = dataOf(await partner.api.post('/users', { external_id: 'troubled', wallets: [wallet] }), 201).id;
    await funds.execute([partner.key]);
  }, 120_000);
  afterEach(async () => {
    expect(await funds.stage.differences()).toEqual([]);
  });
  afterAll(() => funds?.close());

  const positions = async (status: string): Promise<any[]> => {
    const list: any[] = await funds.stage.get('/positions?limit=100');
    return list.filter((position) => position.user_id === userId && position.status === status);
  };
  const status = async (): Promise<any> => JSON.parse(await funds.command('status'));
  /** Deposits, until their vault has them; the account keeps nothing. */
  const untilAllocated = async (meanwhile: () => Promise<void> = async () => undefined): Promise<void> => {
    await funds.until(async () => {
      await meanwhile();
      return (await positions('active')).length === deposits;
    });
    expect(await funds.balanceOf(funds.account)).toBe(0n);
  };
  /** Sends a transaction with the nonce of one that is under way. @returns whether there was one, or all is done without */
  const useNonce = async (): Promise<boolean> => {
    const { pending } = (await funds.anvil.rpc('txpool_content')) as {
      pending: Record<string, Record<string, any>>;
    };
    const [ours] = Object.values(
      Object.entries(pending).find(([from]) => from.toLowerCase() === funds.account)?.[1] ?? {},
    );
    if (!ours) return (await positions('active')).length === deposits;
    const foreign = { from: funds.account, to: wallet, value: '0x1', nonce: ours.nonce, gas: '0x5208' };
    await funds.anvil.rpc('eth_sendTransaction', {
      ...foreign,
      ...{ maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x174876e800' },
    });
    return true;
  };

  it('The executor in trouble with a second one that has its journal goes on, and the second one ends', async () => {
    await funds.until(async () => funds.log.includes('the executor runs'));
    await expect(funds.command('run')).rejects.toThrow('Another executor works with JOURNAL');
  });

  it('The executor in trouble with somebody who uses its nonce builds its transaction anew, once that is final', async () => {
    // A transaction that a block takes before it is seen here leaves nothing to contest: the next one may.
    while (!funds.log.includes('somebody else used the account')) {
      await funds.pay(wallet, 1_000_000_000n);
      deposits += 1;
      await funds.until(async () => (await positions('pending')).length === 1);
      await funds.anvil.rpc('evm_setAutomine', false);
      await funds.until(useNonce);
      await funds.anvil.rpc('evm_setAutomine', true);
      await untilAllocated();
    }
    expect((await status()).jobs).toEqual([]);
  });

  it('The executor in trouble with a signer that only sends finds its hashes by nonce', async () => {
    await funds.kill();
    const signer = {
      SIGNER_URL: funds.anvil.url,
      SIGNER_METHOD: 'eth_sendTransaction',
      INSECURE_RAW_KEY_FOR_TESTS: '',
    };
    await funds.execute([partner.key], signer);
    await funds.pay(wallet, 1_000_000_000n);
    deposits += 1;
    let kills = 0;
    await untilAllocated(async () => {
      if (kills === 3) return;
      kills += 1;
      await funds.kill();
      funds.run();
      await new Promise((resolve) => setTimeout(resolve, 900));
    });
    await funds.kill();
    await funds.execute([partner.key], { ...signer, SIGNER_METHOD: 'eth_signTransaction' });
    await funds.pay(wallet, 1_000_000_000n);
    deposits += 1;
    await untilAllocated();
  });
});
