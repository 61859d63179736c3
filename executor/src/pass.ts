import { reportDeposits, watchDeposits } from './deposits.js';
import type { Job } from './journal.js';
import { advanceMove, considerMove } from './moves.js';
import { advancePayout, considerPayout } from './payouts.js';
import { textOf } from './problem.js';
import type { Tools } from './tools.js';

/**
 * Everything that is to be done now, once: the chain, then the journal, then the server. Each part may be cut off anywhere: the next pass reads the
 * journal and goes on.
 * @returns what failed, the first of it; null: nothing
 */
export async function pass(tools: Tools, now: number): Promise<string | null> {
  const { server, journal, senders, dryRun, log } = tools;
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
  for (const job of journal.openJobs().toSorted((a, b) => rankOf(a) - rankOf(b)))
    await attempt(job.id, () => advance(tools, job, now));
  // 4. New orders and withdrawals, in the same order.
  await attempt('the list of work', async () => {
    const moves = [...(await server.requestedMoves()), ...(await server.arrivingMoves())];
    const payouts = await server.requestedPayouts();
    journal.keepLeft([...moves, ...payouts].map(({ id }) => id));
    const urgent = moves.filter((move) => move.urgent);
    const usual = moves.filter((move) => !move.urgent);
    const begin = async (id: string, consider: () => Promise<Job | null>): Promise<void> => {
      if (journal.job(id)) return;
      await attempt(id, async () => {
        const job = await consider();
        if (job) await advance(tools, job, now);
      });
    };
    for (const move of urgent) await begin(move.id, () => considerMove(tools, move, now));
    for (const payout of payouts) await begin(payout.id, () => considerPayout(tools, payout, now));
    for (const move of usual) await begin(move.id, () => considerMove(tools, move, now));
  });
  return failures[0] ?? null;
}

const rankOf = ({ kind, facts }: Job): number => (facts['urgent'] === 'true' ? 0 : kind === 'payout' ? 1 : 2);

const advance = (tools: Tools, job: Job, now: number): Promise<void> =>
  job.kind === 'move' ? advanceMove(tools, job, now) : advancePayout(tools, job, now);
