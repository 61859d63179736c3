import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress } from 'viem';
import { Account } from '../../executor/src/account.js';
import { Allowlist, type Vault } from '../../executor/src/allowlist.js';
import type { Intent } from '../../executor/src/contracts.js';
import { Journal } from '../../executor/src/journal.js';
import { NotAllowed, NotNow, obstacleOf } from '../../executor/src/problem.js';
import { Providers } from '../../executor/src/providers.js';
import { Anvil } from '../support/chain/anvil.js';

const DEPOSIT = 1_000_000n;
const redemption = (units: bigint): Intent => ({
  ...{ step: 'redeem', chain: 'ethereum', asset: 'USDC', vault_id: 'vlt_a', wallet: null },
  units,
});

describe("the executor's account", () => {
  let anvil: Anvil;
  beforeAll(async () => {
    anvil = await Anvil.start();
  });
  afterAll(() => anvil?.stop());

  it.each([
    ['erc4626', 'TestVault'],
    ['aave-v3', 'TestAaveMarket'],
    ['compound-v3', 'TestCometMarket'],
  ] as const)(
    'The account redeems from %s what it has, if that is about what the books expect',
    async (kind: Vault['kind'], contract) => {
      const owner = anvil.accounts[1]!;
      const token = await anvil.deploy('TestToken');
      const { address } = await anvil.deploy(contract, ...(kind === 'erc4626' ? [token.address, 12] : []));
      await token.send('mint', owner, DEPOSIT);
      await anvil.at('TestToken', token.address, owner).send('approve', address, DEPOSIT);
      const vault = anvil.at(contract, address, owner);
      if (kind === 'erc4626') await vault.send('deposit', DEPOSIT, owner);
      else await vault.send('supply', token.address, DEPOSIT, ...(kind === 'aave-v3' ? [owner, 0] : []));

      const limits = { transaction: 2, day: 2 };
      const usdc = { address: getAddress(token.address), decimals: 6 };
      const vaults = { vlt_a: { kind, asset: 'USDC', address: getAddress(address) } };
      const tokens = { USDC: { ...usdc, vault_limits: limits, payout_limits: limits } };
      const chains = { ethereum: { max_fee_gwei: 1, max_gas: 1, tokens, vaults } };
      const rules = { account: getAddress(owner), max_gain: 0, max_shortfall: 0.001, chains };
      const providers = new Providers('ethereum', [anvil.url], () => undefined);
      const account = new Account(
        'ethereum',
        providers,
        new Allowlist(rules),
        Journal.open(':memory:', true),
      );
      const obstacle = async (units: bigint): Promise<Error | undefined> =>
        obstacleOf(await account.redeemable(redemption(units), 0).catch((error: unknown) => error));

      expect((await account.redeemable(redemption(900_000n), 0)).units).toBe(900_000n);
      expect((await account.redeemable(redemption(DEPOSIT + 900n), 0)).units).toBe(DEPOSIT);
      expect(await obstacle(DEPOSIT + 2000n)).toBeInstanceOf(NotNow);
      expect((await obstacle(DEPOSIT + 2000n))!.message).toMatch(/^the call reverts: /);
      expect(await obstacle(2n * DEPOSIT + 1n)).toBeInstanceOf(NotAllowed);
    },
  );
});
