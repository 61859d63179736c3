import { reportDeposits, watchDeposits } from './deposits.js';
import type { Tools } from './jobs.js';
import { Moves } from './moves.js';
import { Payouts } from './payouts.js';
import { textOf } from './problem.js';
import type { Job } from './records.js';

/**
 * Everything that is to be done now, once: the chain, then the journal, then the server. Each part may be cut off anywhere: the next pass reads the
 * journal and goes on.
 * @returns what failed, the first of it; null: nothing
 */
export async function pass(tools: Tools, now: number): Promise<string | null> {
  const { journal, senders, dryRun, log } = tools;
  const [moves, payouts] = [new Moves(tools), new Payouts(tools)];
  const failures: string[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(`${what}: ${textOf(error)}`);
      log.warn(`${what}: ${textOf(error)}`);
    }
  };

  // 1. Each chain: what became of the transaction under way, and which deposits are final.
  for (const sender of senders.values())
    await attempt(sender.chain, async () => {
      const finalized = await sender.finalized();
      await sender.settle(finalized, now);
      await watchDeposits(tools, sender, finalized);
    });
  // 2. Deposits of known wallets are reported.
  if (!dryRun) await attempt('deposits', () => reportDeposits(tools, now));
  // 3. Work that was begun goes on, before anything new: the urgent orders first, then payouts.
  const open = journal.unfinished().filter(({ status }) => status !== 'stopped');
  for (const job of open.toSorted((a, b) => rankOf(a) - rankOf(b)))
    await attempt(job.id, () => (job.kind === 'move' ? moves : payouts).advance(job, now));
  // 4. New orders and withdrawals, in the same order.
  await attempt('the list of work', async () => {
    const [orders, withdrawals] = [await moves.list(), await payouts.list()];
    journal.keepLeft([...orders, ...withdrawals].map(({ id }) => id));
    const usual = orders.filter(({ urgent }) => !urgent);
    for (const order of orders.filter(({ urgent }) => urgent))
      await attempt(order.id, () => moves.consider(order, now));
    for (const withdrawal of withdrawals)
      await attempt(withdrawal.id, () => payouts.consider(withdrawal, now));
    for (const order of usual) await attempt(order.id, () => moves.consider(order, now));
  });
  return failures[0] ?? null;
}

const rankOf = ({ kind, facts }: Job): number => (facts['urgent'] === 'true' ? 0 : kind === 'payout' ? 1 : 2);
