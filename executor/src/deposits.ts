import type { PartnerSchemas } from '@vaultline/sdk';
import { erc20Abi, getAbiItem, isAddressEqual, zeroAddress } from 'viem';
import type { Tools } from './jobs.js';
import { NotNow } from './problem.js';
import type { SeenDeposit } from './records.js';
import { isRefusal, RECORD, wholeOf } from './server.js';
import type { Sender } from './sender.js';

type DepositBody = PartnerSchemas['CreatePositionInput'];

/** Providers refuse more at once. */
const BLOCKS_AT_ONCE = 2000;
const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' });

/** Writes down the transfers to the account in the final blocks that were not looked at before. */
export async function watchDeposits(
  { journal, allowlist, log, dryRun }: Tools,
  { chain, providers }: Sender,
  finalized: number,
): Promise<void> {
  const { account } = allowlist;
  const { tokens, deposits_from_block: first } = allowlist.chains.get(chain)!;
  const scanned = Number(journal.fact(`scanned ${chain}`) ?? (first === undefined ? finalized : first - 1));
  const upTo = Math.min(finalized, scanned + BLOCKS_AT_ONCE);
  if (upTo < scanned) return;
  const address = Object.values(tokens).map((token) => token.address);
  const range = { fromBlock: BigInt(scanned + 1), toBlock: BigInt(upTo) };
  const filter = { address, event: TRANSFER, args: { to: account }, strict: true } as const;
  // No address would be each address.
  const isNew = upTo > scanned && address.length > 0;
  const logs = isNew ? await providers.client.getLogs({ ...filter, ...range }) : [];
  const seen = new Map<string, Omit<SeenDeposit, 'note'>>();
  for (const { address, args, transactionHash: tx_hash, blockNumber } of logs) {
    const { from: wallet, to, value } = args;
    const asset = Object.keys(tokens).find((name) => isAddressEqual(tokens[name]!.address, address));
    if (asset === undefined || !isAddressEqual(to, account) || value === 0n) continue;
    if ([zeroAddress, account].some((nobody) => isAddressEqual(wallet, nobody))) continue;
    const receipt = await providers.receipt(tx_hash);
    if (!receipt) throw new NotNow(`providers do not show the transaction ${tx_hash}`);
    // A vault pays out to the account, too: nobody may be paid for that.
    if (isAddressEqual(receipt.from, account)) continue;
    const key = `${tx_hash} ${asset} ${wallet}`;
    const units = String(BigInt(seen.get(key)?.units ?? 0) + value);
    seen.set(key, { chain, tx_hash, asset, wallet, units, block: Number(blockNumber) });
  }
  journal.saw(chain, upTo, [...seen.values()]);
  for (const deposit of seen.values())
    log.info(deposit, dryRun ? 'dry run: would report a deposit' : 'saw a deposit');
}

/** Reports deposits of known wallets. A transaction is reported once: all of it has to be of one user and asset. */
export async function reportDeposits(tools: Tools, now: number): Promise<void> {
  const { journal, allowlist, server, log } = tools;
  const byHash = Map.groupBy(journal.unreported(now), ({ tx_hash }) => tx_hash);
  for (const [tx_hash, parts] of byHash) {
    const [{ chain, asset }] = parts as [SeenDeposit];
    const later = (why: string): void => {
      journal.postpone(tx_hash, why, now);
      log.warn({ chain, hash: tx_hash }, `a deposit is not reported: ${why}`);
    };
    const users = new Set<string>();
    const unknown: string[] = [];
    for (const { wallet } of parts) {
      const ids = await server.usersOf(wallet);
      ids.forEach((id) => users.add(id));
      if (ids.length === 0) unknown.push(wallet);
    }
    const [user_id, ...others] = users;
    if (user_id === undefined || unknown.length > 0) {
      later(`no user has the wallet ${unknown.join(', ')}`);
    } else if (others.length > 0 || parts.some((part) => part.asset !== asset)) {
      later('it is of several users, partners or assets');
    } else {
      const units = parts.reduce((sum, part) => sum + BigInt(part.units), 0n);
      const amount = units / allowlist.scale(chain, asset);
      const body = {
        user_id,
        asset,
        chain,
        tx_hash,
        amount: wholeOf(amount),
        allocated: false,
      } as DepositBody;
      const answer = await server.report('deposit', tx_hash, RECORD, (key) =>
        server.depositor.createPosition(body, key),
      );
      if (!isRefusal(answer)) {
        journal.reported(tx_hash, answer.id, null);
        log.info({ chain, hash: tx_hash, position: answer.id, user: user_id }, 'reported a deposit');
      } else if (answer.code === 'settlement_already_recorded') {
        journal.reported(tx_hash, null, answer.message);
        log.warn({ chain, hash: tx_hash }, 'a deposit was recorded before');
      } else later(`${answer.code}: ${answer.message}`);
    }
  }
}
