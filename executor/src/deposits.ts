import { isAddressEqual, zeroAddress } from 'viem';
import { transfersIn } from './contracts.js';
import type { SeenDeposit } from './journal.js';
import { NotNow } from './problem.js';
import { isRefusal } from './server.js';
import type { Sender } from './sender.js';
import type { Tools } from './tools.js';

/** Providers refuse more at once. */
const BLOCKS_AT_ONCE = 2000;

/** Writes down the transfers to the account in the final blocks that were not looked at before. */
export async function watchDeposits(
  { journal, allowlist, log, dryRun }: Tools,
  sender: Sender,
  finalized: number,
): Promise<void> {
  const { chain, providers } = sender;
  const { tokens, deposits_from_block: first } = allowlist.chains.get(chain)!;
  const scanned = Number(journal.fact(`scanned ${chain}`) ?? (first === undefined ? finalized : first - 1));
  const upTo = Math.min(finalized, scanned + BLOCKS_AT_ONCE);
  if (upTo < scanned) return;
  const seen = new Map<string, SeenDeposit>();
  for (const [asset, { address }] of upTo > scanned ? Object.entries(tokens) : []) {
    const logs = await providers.transfers(address, allowlist.account, scanned + 1, upTo);
    for (const entry of logs) {
      const [transfer] = transfersIn([entry], address);
      if (!transfer || !isAddressEqual(transfer.to, allowlist.account)) continue;
      const { from: wallet, value } = transfer;
      if (value === 0n || isAddressEqual(wallet, zeroAddress) || isAddressEqual(wallet, allowlist.account))
        continue;
      const receipt = await providers.receipt(entry.transactionHash);
      if (!receipt) throw new NotNow(`providers do not show the transaction ${entry.transactionHash}`);
      // A vault pays out to the account, too: nobody may be paid for that.
      if (isAddressEqual(receipt.from, allowlist.account)) continue;
      const key = `${entry.transactionHash} ${asset} ${wallet}`;
      const units = String(BigInt(seen.get(key)?.units ?? 0) + value);
      seen.set(key, {
        chain,
        tx_hash: entry.transactionHash,
        asset,
        wallet,
        units,
        block: entry.blockNumber,
      });
    }
  }
  journal.saw(chain, upTo, [...seen.values()]);
  for (const deposit of seen.values())
    log.info(deposit, dryRun ? 'dry run: would report a deposit' : 'saw a deposit');
}

/** Reports deposits of known wallets. A transaction is reported once: all of it has to be of one user and asset. */
export async function reportDeposits(tools: Tools, now: number): Promise<void> {
  const { journal, allowlist, server, log } = tools;
  const byHash = Map.groupBy(journal.unreported(now), ({ tx_hash }) => tx_hash);
  for (const [hash, parts] of byHash) {
    const [{ chain, asset }] = parts as [SeenDeposit];
    const later = (why: string): void => {
      journal.postpone(hash, why, now);
      log.warn({ chain, hash }, `a deposit is not reported: ${why}`);
    };
    const users = new Set<string>();
    const unknown: string[] = [];
    for (const { wallet } of parts) {
      const ids = await server.usersOf(wallet);
      ids.forEach((id) => users.add(id));
      if (ids.length === 0) unknown.push(wallet);
    }
    const [user, ...others] = users;
    if (user === undefined || unknown.length > 0) {
      later(`no user has the wallet ${unknown.join(', ')}`);
    } else if (others.length > 0 || parts.some((part) => part.asset !== asset)) {
      later('it is of several users, partners or assets');
    } else {
      const units = parts.reduce((sum, part) => sum + BigInt(part.units), 0n);
      const amount = units / allowlist.scale(chain, asset);
      const answer = await server.deposit(user, asset, chain, hash, amount);
      if (!isRefusal(answer)) {
        journal.reported(hash, answer.id, null);
        log.info({ chain, hash, position: answer.id, user }, 'reported a deposit');
      } else if (answer.code === 'settlement_already_recorded') {
        journal.reported(hash, null, answer.message);
        log.warn({ chain, hash }, 'a deposit was recorded before');
      } else later(`${answer.code}: ${answer.message}`);
    }
  }
}
