import { type Address, isAddress } from 'viem';
import { redemption } from './balances.js';
import type { Intent } from './contracts.js';
import type { Job } from './journal.js';
import { requireCash } from './moves.js';
import { NotAllowed, NotNow } from './problem.js';
import { isRefusal, type Payout } from './server.js';
import type { ChainName } from './settings.js';
import {
  approvalOf,
  finalOf,
  finish,
  grown,
  isHopeless,
  isIdle,
  isObstacle,
  leave,
  refused,
  senderOf,
  stop,
  type Tools,
  trouble,
} from './tools.js';

/** Takes a withdrawal that it can pay, and leaves others. */
export async function considerPayout(tools: Tools, payout: Payout, now: number): Promise<Job | null> {
  const { journal, allowlist, log, dryRun } = tools;
  const { id, asset, wallet, amount } = payout;
  const facts: Job['facts'] = { asset, wallet, amount: String(amount), chain: null };
  try {
    const chain = chainOf(tools, payout);
    const known = { ...facts, chain };
    try {
      const units = amount * allowlist.scale(chain, asset);
      const to = payableWallet(tools, payout, chain, units);
      await tryOut(tools, payout, { step: 'transfer', chain, asset, units, vaultId: null, wallet: to }, now);
      if (!dryRun)
        return journal.begin({ id, kind: 'payout', chain, asset, facts: { ...known, wallet: to } }, now);
      log.info({ id, ...known }, 'dry run: would take and pay');
    } catch (error) {
      if (!isObstacle(error)) throw error;
      leave(tools, id, error.message, known, now);
    }
  } catch (error) {
    if (!isObstacle(error)) throw error;
    leave(tools, id, error.message, facts, now);
  }
  return null;
}

/** @throws NotAllowed where its funds are not on one chain that is served */
function chainOf({ allowlist }: Tools, { asset, parts }: Payout): ChainName {
  const chains = new Set<ChainName>();
  for (const { vaultId } of parts) {
    if (isIdle(vaultId)) continue;
    const vault = allowlist.vault(vaultId);
    if (!vault)
      throw new NotAllowed(
        `${vaultId} is not in the allowlist: it may be on another chain, pay out through a queue, or be unknown`,
      );
    chains.add(vault.chain);
  }
  // The books do not know on which chain cash is.
  const [chain, ...others] = chains.size > 0 ? chains : allowlist.chainsOf(asset);
  if (chain === undefined) throw new NotAllowed(`${asset} is on no chain of the allowlist`);
  if (others.length > 0)
    throw new NotAllowed('its parts are on several chains, or may be, and the executor does not bridge');
  return chain;
}

/**
 * The wallet that may be paid: one from which the executor saw deposits on the chain, of about as much, or one that an operator approved.
 * @throws NotAllowed
 */
function payableWallet(
  { allowlist, journal }: Tools,
  payout: Payout,
  chain: ChainName,
  units: bigint,
): Address {
  const { id, wallet: to, asset, amount } = payout;
  if (to === null) throw new NotAllowed('no wallet is known: the end-user has none, or several');
  if (!isAddress(to)) throw new NotAllowed('its wallet is no address');
  const approval = journal.approval(id);
  const isApproved =
    approval?.wallet === to && approval.asset === asset && amount <= grown(BigInt(approval.amount));
  if (isApproved) return to;
  const waiting = `it waits for \`approve ${approvalOf(id, { wallet: to, amount: String(amount), asset })}\``;
  const { deposited, paid } = journal.flowOf(chain, asset, to);
  if (deposited === 0n) throw new NotAllowed(`no deposit from ${to} was seen on ${chain}: ${waiting}`);
  if (units + paid > allowlist.payable(deposited))
    throw new NotAllowed(`${to} was paid more than it deposited on ${chain}: ${waiting}`);
  return to;
}

/** @throws NotAllowed, NotNow with what stands in the way of the payment */
async function tryOut(tools: Tools, payout: Payout, transfer: Intent, now: number): Promise<void> {
  const { allowlist, journal } = tools;
  const { chain, asset, units } = transfer;
  const sender = senderOf(tools, chain);
  const moved = journal.moved(chain, asset, 'payout', now - 86_400_000);
  allowlist.requireWithin(chain, asset, 'payout', units, moved);
  const scale = allowlist.scale(chain, asset);
  for (const [vaultId, amount] of byVault(payout))
    await redemption(
      allowlist,
      sender,
      { ...transfer, step: 'redeem', units: amount * scale, vaultId, wallet: null },
      now,
    );
  await requireCash(tools, { ...transfer, units: cashOf(payout.parts) * scale });
}

/** Does the next thing of a withdrawal that was taken. */
export async function advancePayout(tools: Tools, job: Job, now: number): Promise<void> {
  const { server, journal, allowlist } = tools;
  if (job.status === 'taking' && !(await take(tools, job, now))) return;
  const transfer = finalOf(journal.transactionsOf(job.id), 'transfer');
  if (transfer) {
    const amount = BigInt(transfer.amount!) / allowlist.scale(job.chain, job.asset);
    const answer = await server.paid(job.id, transfer.hash!, job.chain, amount);
    if (isRefusal(answer)) return void trouble(tools, job, refused('the payment', answer), now);
    return finish(tools, job, `the withdrawal is ${answer.status}`);
  }
  if (!journal.inFlight(job.chain)) await sendNext(tools, journal.job(job.id)!, now);
}

/** @returns whether it is taken */
async function take(tools: Tools, job: Job, now: number): Promise<boolean> {
  const { server, journal } = tools;
  const answer = await server.take('payout', job.id);
  if (isRefusal(answer)) {
    const payout = await server.payout(job.id);
    if (payout.takenBy !== null && payout.takenBy === journal.fact('key'))
      stop(tools, job, 'it was taken by our key, and the answer was lost');
    else if (payout.status === 'requested')
      // A move under way has its funds, or a report is unresolved: it is taken once that has ended.
      trouble(tools, job, refused('taking it', answer), now);
    else finish(tools, job, refused('taking it', answer));
    return false;
  }
  if (answer.takenBy !== null) journal.setFact('key', answer.takenBy);
  if (!isAsTaken(tools, job, answer)) return false;
  journal.turn(job.id, 'taken');
  return true;
}

/** Redeems each vault's part, then pays the wallet what came of it. */
async function sendNext(tools: Tools, job: Job, now: number): Promise<void> {
  const { server, journal } = tools;
  const payout = await server.payout(job.id);
  if (!isAsTaken(tools, job, payout)) return;
  const sent = journal.transactionsOf(job.id);
  const hasRedeemed = sent.some(({ step, status }) => step === 'redeem' && status === 'final');
  if (payout.status !== 'taken') {
    const how = `the withdrawal has ended: ${payout.ended}`;
    return hasRedeemed
      ? stop(tools, job, `${how}, and its funds were redeemed from their vault`)
      : finish(tools, job, how);
  }
  const hopeless = (['redeem', 'transfer'] as const).find((step) => isHopeless(sent, step));
  try {
    if (hopeless) throw new NotNow(`the ${hopeless} was reverted again and again`);
    const intent = await nextOf(tools, job, payout, now);
    await senderOf(tools, job.chain).send(job, intent, now);
    journal.turn(job.id, job.status);
  } catch (error) {
    if (!isObstacle(error)) throw error;
    const isLong = trouble(tools, job, error.message, now);
    // What was redeemed has to be paid: it is not given up any more.
    if (hasRedeemed || (!isLong && !hopeless)) return;
    const answer = await server.failed('payout', job.id, error.message);
    if (isRefusal(answer)) return void trouble(tools, job, refused('the failure', answer), now);
    finish(tools, job, `given up: ${error.message}`);
  }
}

async function nextOf(tools: Tools, job: Job, payout: Payout, now: number): Promise<Intent> {
  const { allowlist, journal } = tools;
  const { chain, asset } = job;
  const scale = allowlist.scale(chain, asset);
  const sent = journal.transactionsOf(job.id);
  // As when it was taken, and within its amount: a server may change both meanwhile.
  if (payout.amount > grown(BigInt(job.facts['amount']!)))
    throw new NotAllowed('the server asks for more than was taken');
  const most = grown(BigInt(job.facts['amount']!)) * scale;
  const received = sent
    .filter(({ step, status }) => step === 'redeem' && status === 'final')
    .reduce((sum, { amount }) => sum + BigInt(amount!), 0n);
  const requireTaken = (units: bigint): void => {
    if (units > most) throw new NotAllowed(`${units} units are more than was taken`);
  };
  const base = { chain, asset, wallet: null, vaultId: null };
  for (const [vaultId, amount] of byVault(payout)) {
    if (finalOf(sent, 'redeem', vaultId)) continue;
    requireTaken(received + amount * scale);
    const intent: Intent = { ...base, step: 'redeem', units: amount * scale, vaultId };
    return redemption(allowlist, senderOf(tools, chain), intent, now);
  }
  const total = received + cashOf(payout.parts) * scale;
  requireTaken(total);
  const wallet = payableWallet(tools, payout, chain, total);
  const intent: Intent = { ...base, step: 'transfer', units: total - (total % scale), wallet };
  await requireCash(tools, intent);
  return intent;
}

/** Amounts by vault, without cash. @throws NotAllowed for parts of more than the whole */
function byVault({ parts, amount: whole }: Payout): Map<string, bigint> {
  if (parts.reduce((sum, { amount }) => sum + amount, 0n) > whole)
    throw new NotAllowed('its parts are more than its amount');
  const sums = new Map<string, bigint>();
  for (const { vaultId, amount } of parts)
    if (!isIdle(vaultId)) sums.set(vaultId, (sums.get(vaultId) ?? 0n) + amount);
  return sums;
}

const cashOf = (parts: Payout['parts']): bigint =>
  parts.reduce((sum, { vaultId, amount }) => sum + (isIdle(vaultId) ? amount : 0n), 0n);

/** Whether the server still names the wallet that it named when the withdrawal was taken. */
function isAsTaken(tools: Tools, job: Job, { id, asset, wallet }: Payout): boolean {
  if (id === job.id && asset === job.asset && wallet === job.facts['wallet']) return true;
  stop(tools, job, `the server names another wallet or asset than before: ${wallet}, ${asset}`);
  return false;
}
