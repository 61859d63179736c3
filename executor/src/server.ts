import { isVaultlineError, type PartnerSchemas, VaultlinePartner } from '@vaultline/sdk';
import type { Hex } from 'viem';
import type { Meters } from './meters.js';
import type { ChainName, Settings } from './settings.js';

type ShownMove = PartnerSchemas['MoveOrderDto'];
type Deposit = PartnerSchemas['CreatePositionInputDto'];
type ShownWithdrawal = PartnerSchemas['Withdrawal'];

/** An order, as the server says: not to be trusted. Amounts are micro-units. */
export interface Move {
  id: string;
  status: ShownMove['status'];
  urgent: boolean;
  asset: string;
  from: string;
  to: string;
  positionId: string | null;
  amount: bigint;
  takenBy: string | null;
  ended: string | null;
}

/** A withdrawal by user, likewise. */
export interface Payout {
  id: string;
  status: ShownWithdrawal['status'];
  asset: string;
  wallet: string | null;
  amount: bigint;
  parts: { vaultId: string; amount: bigint }[];
  takenBy: string | null;
  ended: string | null;
}

export type Refusal = { code: string; message: string };

const MICRO = 1_000_000;

/** The server's API. Each report has a key of its own in this journal, so that one whose answer was lost is not made twice. */
export class Server {
  private readonly executor: VaultlinePartner;
  private readonly depositor: VaultlinePartner;
  private readonly partners: VaultlinePartner[];

  constructor(
    settings: Settings,
    private readonly journalId: string,
    private readonly meters: Meters,
  ) {
    const {
      VAULTLINE_URL: baseUrl,
      VAULTLINE_API_KEY: apiKey,
      DEPOSITS_API_KEY,
      PARTNER_API_KEYS,
    } = settings;
    const client = (key: string): VaultlinePartner =>
      new VaultlinePartner({
        baseUrl,
        apiKey: key,
        maxRetries: 1,
        timeoutMs: 15_000,
        totalTimeoutMs: 40_000,
      });
    this.executor = client(apiKey);
    this.depositor = client(DEPOSITS_API_KEY ?? apiKey);
    this.partners = PARTNER_API_KEYS.map(client);
  }

  /** Orders that nobody took, the oldest first. */
  async requestedMoves(): Promise<Move[]> {
    return (await this.executor.listMoves({ status: 'requested', limit: 200 }).take(MOST))
      .map(moveOf)
      .toReversed();
  }

  /** Received deposits whose order nobody took. */
  async arrivingMoves(): Promise<Move[]> {
    const arriving = await this.executor.listMoves({ status: 'arriving', limit: 200 }).take(MOST);
    return arriving
      .filter(({ taken_at }) => taken_at === null)
      .map(moveOf)
      .toReversed();
  }

  async requestedPayouts(): Promise<Payout[]> {
    return (await this.executor.listWithdrawals({ status: 'requested', limit: 200 }).take(MOST))
      .map(payoutOf)
      .toReversed();
  }

  async move(id: string): Promise<Move> {
    return moveOf(await this.executor.readMove(id));
  }

  async payout(id: string): Promise<Payout> {
    return payoutOf(await this.executor.readWithdrawal(id));
  }

  take(kind: 'move', id: string): Promise<Move | Refusal>;
  take(kind: 'payout', id: string): Promise<Payout | Refusal>;
  take(kind: 'move' | 'payout', id: string): Promise<Move | Payout | Refusal> {
    const options = this.once(`taken ${id}`);
    return this.report('taken', async () =>
      kind === 'move'
        ? moveOf(await this.executor.takeMove(id, {}, options))
        : payoutOf(await this.executor.takeWithdrawal(id, options)),
    );
  }

  redeemed(id: string, hash: Hex, amount: bigint): Promise<Move | Refusal> {
    return this.report('redeemed', async () => {
      const body = { tx_hash: hash, amount: unitsOf(amount) };
      return moveOf(await this.executor.reportMoveRedeemed(id, body, this.once(`redeemed ${id} ${hash}`)));
    });
  }

  settled(id: string, hash: Hex, amount: bigint): Promise<Move | Refusal> {
    return this.report('settled', async () => {
      const body = { tx_hash: hash, amount: unitsOf(amount) };
      return moveOf(await this.executor.reportMoveSettled(id, body, this.once(`settled ${id} ${hash}`)));
    });
  }

  paid(id: string, hash: Hex, chain: ChainName, amount: bigint): Promise<Payout | Refusal> {
    return this.report('paid', async () => {
      const body = { tx_hash: hash, chain, amount: unitsOf(amount) };
      return payoutOf(await this.executor.reportWithdrawalPaid(id, body, this.once(`paid ${id} ${hash}`)));
    });
  }

  failed(kind: 'move' | 'payout', id: string, note: string): Promise<Refusal | 'failed'> {
    const [body, options] = [{ note: note.slice(0, 500) }, this.once(`failed ${id}`)];
    return this.report('failed', async () => {
      if (kind === 'move') await this.executor.reportMoveFailed(id, body, options);
      else await this.executor.reportWithdrawalFailed(id, body, options);
      return 'failed' as const;
    });
  }

  /** @returns the position's id */
  deposit(
    userId: string,
    asset: string,
    chain: ChainName,
    hash: Hex,
    amount: bigint,
  ): Promise<{ id: string } | Refusal> {
    return this.report('deposit', async () => {
      const body = {
        user_id: userId,
        asset,
        chain,
        tx_hash: hash,
        amount: unitsOf(amount),
        allocated: false,
      };
      return this.depositor.createPosition(body as Deposit, this.once(`deposit ${hash}`));
    });
  }

  /** Users of all partners that have a wallet. */
  async usersOf(wallet: string): Promise<string[]> {
    const lists = await Promise.all(
      this.partners.map((partner) => partner.listPartnerUsers({ wallet }).take(2)),
    );
    return lists.flat().map(({ id }) => id);
  }

  /** A refusal is an answer; without an answer the report is made again in the next pass. */
  private async report<T>(name: string, send: () => Promise<T>): Promise<T | Refusal> {
    try {
      const answer = await send();
      this.meters.reports.inc({ report: name, result: 'accepted' });
      return answer;
    } catch (error) {
      // The first of two equal requests may still run: nothing is known of it.
      const isRefused =
        isVaultlineError(error) &&
        error.status < 500 &&
        error.code !== 'idempotency_in_progress' &&
        ![401, 403, 408, 429].includes(error.status);
      this.meters.reports.inc({ report: name, result: isRefused ? error.code : 'unknown' });
      if (!isRefused) throw error;
      return { code: error.code, message: error.message };
    }
  }

  private once(what: string): { idempotencyKey: string } {
    return { idempotencyKey: `executor ${this.journalId} ${what}` };
  }
}

/** Rows that one pass looks at: the others follow. */
const MOST = 1000;

export const isRefusal = (answer: object | string): answer is Refusal =>
  typeof answer === 'object' && 'code' in answer;

const moveOf = (move: ShownMove): Move => ({
  id: move.id,
  status: move.status,
  urgent: move.urgent,
  asset: move.asset,
  from: move.from_vault_id,
  to: move.to_vault_id,
  positionId: move.position_id,
  amount: microOf(move),
  takenBy: move.taken_by,
  ended: move.ended_at === null ? null : `${move.status} (${move.failure ?? 'done'})`,
});

const payoutOf = (withdrawal: ShownWithdrawal): Payout => ({
  id: withdrawal.id,
  status: withdrawal.status,
  asset: withdrawal.asset,
  wallet: withdrawal.wallet,
  amount: microOf(withdrawal),
  parts: withdrawal.parts.map((part) => ({ vaultId: part.vault_id, amount: microOf(part) })),
  takenBy: withdrawal.taken_by,
  ended: withdrawal.ended_at === null ? null : `${withdrawal.status} (${withdrawal.failure ?? 'done'})`,
});

/** A double holds 2^33 units with six decimals; beyond that the text beside it counts. @throws Error for anything else than an amount */
function microOf(record: { amount: number; amount_exact?: string }): bigint {
  const text = record.amount_exact ?? record.amount.toFixed(6);
  const [, whole, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error('the server answered with an amount that is none');
  return BigInt(whole + decimals.padEnd(6, '0'));
}

const unitsOf = (micro: bigint): number => Number(micro) / MICRO;
