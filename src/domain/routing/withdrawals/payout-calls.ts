import type { DomainSettings } from '../../../config/domain-settings.js';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { tokenUnits } from '../../kernel/money.js';
import { encode } from '../../markets/chain/contract-call.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import { contractOf, STANDARDS } from '../orders/order-calls.js';
import { tokenOf } from '../settlements/settlement.service.js';
import { totalOf } from './parts.js';
import type { Withdrawal } from './withdrawal.js';

/** Contract call that pays a part of a withdrawal, or transfers all of it. */
export interface PayoutCall {
  step: 'withdraw' | 'transfer';
  chain: string;
  to: Hex;
  data: Hex;
  /** Amount in the smallest units of the token. */
  units: string;
}

const TRANSFER = 'function transfer(address to, uint256 amount) returns (bool)';

/**
 * Calls that the account still has to send: one a vault, then the transfer, if all is on one chain.
 * @param account whose funds are paid, with the checksum that the encoding requires
 */
export async function payoutCallsOf(
  { asset, amount, endedAt, parts, wallet }: Withdrawal,
  account: Hex,
  settings: DomainSettings,
): Promise<PayoutCall[]> {
  if (endedAt !== null) return [];
  const byVault = Map.groupBy(
    parts.filter(({ vaultId }) => vaultId !== idleVaultId(asset)),
    ({ vaultId }) => vaultId,
  );
  const calls: Promise<PayoutCall>[] = [];
  const chains = new Set<string | null>();
  for (const [vaultId, ofVault] of byVault) {
    const contract = contractOf(vaultId, settings);
    chains.add(contract?.chain ?? null);
    if (!contract) continue;
    const units = tokenUnits(totalOf(ofVault), contract.decimals);
    const [signature, args] = STANDARDS[contract.standard].withdraw;
    const call = { signature, args: args({ token: contract.token, amount: units, account }) };
    const { chain, address: to } = contract;
    calls.push(encode(call).then((data) => ({ step: 'withdraw', chain, to, data, units: `${units}` })));
  }
  // Cash is on the asset's only chain, where it has one.
  const tokens = settings.tokens.filter((token) => token.asset === asset);
  if (byVault.size === 0 && tokens.length === 1) chains.add(tokens[0]!.chain);
  const [chain] = chains;
  const token = chains.size === 1 && chain ? tokenOf(settings, asset, chain) : null;
  if (token && chain && wallet !== null) {
    const units = tokenUnits(amount, token.decimals);
    const call = { signature: TRANSFER, args: [wallet, units] };
    calls.push(
      encode(call).then((data) => ({
        step: 'transfer',
        chain,
        to: token.address as Hex,
        data,
        units: `${units}`,
      })),
    );
  }
  return Promise.all(calls);
}
