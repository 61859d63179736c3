import { allowanceOf, balanceOf, redemption } from './balances.js';
import type { Intent } from './contracts.js';
import type { Job } from './journal.js';
import { NotAllowed, NotNow } from './problem.js';
import { isRefusal, type Move } from './server.js';
import {
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

const factsOf = ({ asset, from, to, positionId, urgent, amount }: Move): Job['facts'] => ({
  ...{ asset, from, to, positionId, urgent: String(urgent), amount: String(amount) },
});

/** Takes an order that it can carry out, and leaves others. */
export async function considerMove(tools: Tools, move: Move, now: number): Promise<Job | null> {
  const { journal, dryRun, log } = tools;
  const facts = factsOf(move);
  try {
    const first = await firstStep(tools, move, now);
    if (dryRun) {
      log.info(
        { id: move.id, ...facts, ...first, units: String(first.units) },
        'dry run: would take and send',
      );
      return null;
    }
    return journal.begin({ id: move.id, kind: 'move', chain: first.chain, asset: move.asset, facts }, now);
  } catch (error) {
    if (!isObstacle(error)) throw error;
    leave(tools, move.id, error.message, facts, now);
    return null;
  }
}

/** @throws NotAllowed, NotNow with what stands in the way of an order */
async function firstStep(tools: Tools, move: Move, now: number): Promise<Intent> {
  const { allowlist, journal } = tools;
  const isRedeeming = !isIdle(move.from);
  const vaults = [move.from, move.to]
    .filter((id) => !isIdle(id))
    .map((id) => {
      const vault = allowlist.vault(id);
      if (!vault)
        throw new NotAllowed(
          `${id} is not in the allowlist: it may be on another chain, pay out through a queue, or be unknown`,
        );
      if (vault.asset !== move.asset)
        throw new NotAllowed(`${id} is a vault of ${vault.asset}, and the order is of ${move.asset}`);
      return vault;
    });
  const [vault, other = vault] = vaults;
  if (!vault) throw new NotAllowed('it is between no vaults');
  if (vault.chain !== other!.chain)
    throw new NotAllowed('its vaults are on different chains, and the executor does not bridge');
  const { chain } = vault;
  const units = move.amount * allowlist.scale(chain, move.asset);
  const intent: Intent = {
    step: isRedeeming ? 'redeem' : 'deposit',
    chain,
    asset: move.asset,
    units,
    vaultId: vault.id,
    wallet: null,
  };
  const sender = senderOf(tools, chain);
  if (isRedeeming) return redemption(allowlist, sender, intent, now);
  const received = move.positionId === null ? undefined : journal.depositChain(move.positionId);
  if (received !== undefined && received !== chain)
    throw new NotAllowed(`it was received on ${received}, and the executor does not bridge to ${chain}`);
  await requireCash(tools, intent);
  await sender.tryOut({ ...intent, step: 'approve' }, now);
  return intent;
}

/** Does the next thing of an order that was taken. */
export async function advanceMove(tools: Tools, job: Job, now: number): Promise<void> {
  const { server, journal, allowlist } = tools;
  if (job.status === 'taking' && !(await take(tools, job, now))) return;
  const sent = journal.transactionsOf(job.id);
  const { status } = journal.job(job.id)!;
  if (status === 'closing') return close(tools, job, job.note ?? 'closed', now);
  const scale = allowlist.scale(job.chain, job.asset);
  const redeemed = finalOf(sent, 'redeem');
  if (redeemed && status === 'taken') {
    const answer = await server.redeemed(job.id, redeemed.hash!, BigInt(redeemed.amount!) / scale);
    if (isRefusal(answer)) return void trouble(tools, job, refused('the redemption', answer), now);
    if (answer.status === 'arriving') journal.turn(job.id, 'redeemed');
    else return finish(tools, job, `redeemed; the order is ${answer.status}`);
  }
  const deposited = finalOf(sent, 'deposit');
  if (deposited) {
    const answer = await server.settled(job.id, deposited.hash!, BigInt(deposited.amount!) / scale);
    if (isRefusal(answer)) return void trouble(tools, job, refused('the arrival', answer), now);
    return finish(tools, job, `the order is ${answer.status}`);
  }
  if (journal.inFlight(job.chain)) return;
  await sendNext(tools, journal.job(job.id)!, now);
}

/** @returns whether it is taken */
async function take(tools: Tools, job: Job, now: number): Promise<boolean> {
  const { server, journal } = tools;
  const answer = await server.take('move', job.id);
  if (isRefusal(answer)) {
    const move = await server.move(job.id);
    // An answer that was lost a day ago: whether it was ours, only a person can say.
    if (move.takenBy !== null && move.takenBy === journal.fact('key'))
      stop(tools, job, 'it was taken by our key, and the answer was lost');
    else if (move.ended === null && move.takenBy === null)
      // Another order of the partner is under way, or a report is unresolved.
      trouble(tools, job, refused('taking it', answer), now);
    else finish(tools, job, refused('taking it', answer));
    return false;
  }
  if (answer.takenBy !== null) journal.setFact('key', answer.takenBy);
  if (!isAsTaken(tools, job, answer)) return false;
  if (answer.ended !== null) finish(tools, job, `not taken: the order is ${answer.ended}`);
  else journal.turn(job.id, 'taken');
  return answer.ended === null;
}

/** Sends the next transaction; gives the order up if that is impossible for long. */
async function sendNext(tools: Tools, job: Job, now: number): Promise<void> {
  const { server, journal } = tools;
  const move = await server.move(job.id);
  if (!isAsTaken(tools, job, move)) return;
  if (move.ended !== null) return close(tools, job, `the order has ended: ${move.ended}`, now);
  const sent = journal.transactionsOf(job.id);
  const isRedeeming = job.status === 'taken' && !isIdle(move.from);
  if (isRedeeming !== (move.status === 'redeeming' && !isIdle(move.from)))
    return stop(
      tools,
      job,
      `the server says that the order is ${move.status}, which this executor has not reported`,
    );
  const step = isRedeeming ? 'redeem' : 'deposit';
  try {
    if (isHopeless(sent, step)) throw new NotNow(`the ${step} was reverted again and again`);
    await (isRedeeming ? redeem(tools, job, move, now) : deposit(tools, job, move, now));
    journal.turn(job.id, job.status);
  } catch (error) {
    if (!isObstacle(error)) throw error;
    if (!trouble(tools, job, error.message, now) && !isHopeless(sent, step)) return;
    const answer = await server.failed('move', job.id, error.message);
    if (isRefusal(answer)) return void trouble(tools, job, refused('the failure', answer), now);
    await close(tools, job, `given up: ${error.message}`, now);
  }
}

async function redeem(tools: Tools, job: Job, move: Move, now: number): Promise<void> {
  const sender = senderOf(tools, job.chain);
  const intent = intentOf(tools, job, move, 'redeem', move.from);
  await sender.send(job, await redemption(tools.allowlist, sender, intent, now), now);
}

/** Approves exactly what is deposited, then deposits it. An allowance of another amount is taken back first: some tokens insist. */
async function deposit(tools: Tools, job: Job, move: Move, now: number): Promise<void> {
  const sender = senderOf(tools, job.chain);
  const intent = intentOf(tools, job, move, 'deposit', move.to);
  await requireCash(tools, intent);
  await sender.tryOut({ ...intent, step: 'approve' }, now);
  const allowed = await allowanceFor(tools, intent);
  if (allowed === intent.units) return sender.send(job, intent, now);
  if (allowed > 0n && isOfAnother(tools, job, move.to))
    throw new NotNow('another order has an allowance for this vault, and goes first');
  await sender.send(job, { ...intent, step: 'approve', units: allowed === 0n ? intent.units : 0n }, now);
}

/** Whether another open order approved last: two that took each other's allowance back would do so for as long as the vault is paused. */
function isOfAnother({ journal }: Tools, job: Job, vaultId: string): boolean {
  const approvals = journal
    .openJobs()
    .flatMap(({ id }) => journal.transactionsOf(id))
    .filter(({ step, status, vault_id }) => step === 'approve' && status === 'final' && vault_id === vaultId);
  return (approvals.toSorted((a, b) => b.id - a.id)[0]?.job_id ?? job.id) !== job.id;
}

/** Ends a job, once its allowance is used up or taken back. */
async function close(tools: Tools, job: Job, how: string, now: number): Promise<void> {
  const { journal } = tools;
  const approved = journal.transactionsOf(job.id).findLast(({ step }) => step === 'approve');
  if (approved) {
    const intent: Intent = {
      step: 'approve',
      chain: job.chain,
      asset: job.asset,
      units: 0n,
      vaultId: approved.vault_id,
      wallet: null,
    };
    if ((await allowanceFor(tools, intent)) > 0n) {
      journal.turn(job.id, 'closing', how);
      if (!journal.inFlight(job.chain)) await senderOf(tools, job.chain).send(job, intent, now);
      return;
    }
  }
  finish(tools, job, how);
}

/** @throws NotAllowed for more than was taken or redeemed: other money is not part of the order */
function intentOf(
  tools: Tools,
  { id, chain, asset, facts }: Job,
  move: Move,
  step: Intent['step'],
  vaultId: string,
): Intent {
  const scale = tools.allowlist.scale(chain, asset);
  const units = move.amount * scale;
  const redeemed = finalOf(tools.journal.transactionsOf(id), 'redeem');
  const most = redeemed ? BigInt(redeemed.amount!) : grown(BigInt(facts['amount']!) * scale);
  if (units > most) throw new NotAllowed(`the server asks for ${units} units, and the order has ${most}`);
  return { step, chain, asset, vaultId, wallet: null, units };
}

function allowanceFor({ allowlist, ...tools }: Tools, { chain, asset, vaultId }: Intent): Promise<bigint> {
  const { spender } = allowlist.vault(vaultId!)!;
  const { providers } = senderOf({ allowlist, ...tools }, chain);
  return allowanceOf(providers, allowlist.token(chain, asset).address, allowlist.account, spender);
}

/** @throws NotNow */
export async function requireCash(tools: Tools, { chain, asset, units }: Intent): Promise<void> {
  const { allowlist } = tools;
  const { providers } = senderOf(tools, chain);
  const balance = await balanceOf(providers, allowlist.token(chain, asset).address, allowlist.account);
  if (balance < units)
    throw new NotNow(`the account has ${balance} of ${units} units of ${asset} on ${chain}`);
}

/** Whether the server still says what it said when the order was taken. */
function isAsTaken(tools: Tools, job: Job, move: Move): boolean {
  const now = factsOf(move);
  const changed = ['asset', 'from', 'to', 'positionId'].filter((name) => now[name] !== job.facts[name]);
  if (changed.length === 0 && move.id === job.id) return true;
  stop(tools, job, `the server says something else of the order than before: ${changed.join(', ')}`);
  return false;
}
