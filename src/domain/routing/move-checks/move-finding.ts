import { gainParts } from '../../books/positions/cost-parts.js';
import { tokenUnits } from '../../kernel/money.js';
import type { ChainReceipt, ReceiptLook } from '../../markets/chain/chain-pass.js';
import { tokenTransfers } from '../../markets/chain/receipt.js';
import { findingOn, type SettlementStatus } from '../settlements/settlement.js';
import type { CheckedStep, CheckReason } from './move-check.js';
import { type VaultContract, vaultEntries } from './vault-entries.js';

/** Report on a step, whose funds the transaction moves with those of others. Micro-units. */
export interface ReportInTransaction {
  orderId: string;
  step: CheckedStep;
  vaultId: string;
  amount: bigint;
  /** Whether it was confirmed before. */
  isConfirmed: boolean;
}

/** What was reported of one token by one transaction, and who holds the funds. */
export interface ReportedTransaction {
  reports: readonly ReportInTransaction[];
  /** Deposits that were received in it, less withdrawals that it pays. Micro-units. */
  transfers: bigint;
  /** What its withdrawals are paid out of vaults, by vault. Micro-units. */
  paidFrom: ReadonlyMap<string, bigint>;
  /** Contract of each vault of the reports and payments. */
  contracts: ReadonlyMap<string, VaultContract>;
  /** Token contract, and its smallest unit. */
  token: { address: string; decimals: number };
  /** In lower case. */
  accounts: ReadonlySet<string>;
}

export interface MoveFinding {
  status: SettlementStatus;
  reason: CheckReason | null;
  block: bigint | null;
  /** Part of the order in what the chain moved, micro-units; null when it was not checked. */
  foundAmount: bigint | null;
}

/**
 * Compares what was reported by a transaction with its receipt: each vault's contract has to have logged what was redeemed or settled there for the
 * custody accounts, and these accounts' net transfer of the token has to be what was redeemed less what was settled and paid.
 * @returns finding of each report, in their order; null as of `findingOn`
 */
export function moveFindings(
  look: ReceiptLook,
  transaction: ReportedTransaction,
  ages: { ageMs: number; notFoundMs: number },
): MoveFinding[] | null {
  const found = findingOn(look, ages, (receipt) =>
    compareAll(receipt, transaction).map((finding) => ({ block: receipt.block.number, ...finding })),
  );
  return found === null || Array.isArray(found) ? found : transaction.reports.map(() => found);
}

/** Reports on one step at one vault, in the smallest unit of the token. */
interface Group {
  step: CheckedStep;
  places: number[];
  reported: bigint;
  /** By the vault's contract. */
  entered: bigint;
}

/** What the accounts moved, of one token, in its smallest unit. */
interface AccountFlow {
  transfers: number;
  /** Transfers from or to the accounts. */
  ours: number;
  groups: Group[];
  /** What came to the accounts, or for a negative sum left them, beside what the vaults and the users account for. */
  rest: bigint;
  scale: bigint;
}

function flowOf(logs: ChainReceipt['logs'], transaction: ReportedTransaction): AccountFlow {
  const { token, accounts } = transaction;
  const scale = tokenUnits(1n, token.decimals);
  const transfers = tokenTransfers(logs).filter((entry) => entry.token === token.address);
  const ours = transfers.filter(({ from, to }) => accounts.has(from) !== accounts.has(to));
  const net = ours.reduce((sum, { to, amount }) => sum + (accounts.has(to) ? amount : -amount), 0n);
  const groups = groupsOf(transaction, logs, scale);
  const moved = groups.reduce(
    (sum, { step, entered }) => sum + (step === 'redeemed' ? entered : -entered),
    0n,
  );
  const rest = net - moved - (transaction.transfers + paidByVaults(transaction, logs, scale)) * scale;
  return { transfers: transfers.length, ours: ours.length, groups, rest, scale };
}

/** Whether the accounts moved something else in a final transaction than vaults and users account for. */
export function isUnexplained({ logs }: ChainReceipt, transaction: ReportedTransaction): boolean {
  const { rest, scale } = flowOf(logs, transaction);
  return !isSame(rest, 0n, scale);
}

type Comparison = Pick<MoveFinding, 'status' | 'reason' | 'foundAmount'>;

/** Confirmed reports that account for the transaction without later reports and transfers stay confirmed: those name the hash of another's transaction. */
function compareAll(receipt: ChainReceipt, transaction: ReportedTransaction): Comparison[] {
  const all = compareMoves(receipt, transaction);
  const reports = transaction.reports.filter(({ isConfirmed }) => isConfirmed);
  if (reports.length === 0 || all.every(isConfirming)) return all;
  for (const others of [{}, { transfers: 0n, paidFrom: new Map<string, bigint>() }]) {
    const alone = compareMoves(receipt, { ...transaction, ...others, reports });
    if (alone.every(isConfirming))
      return transaction.reports.map(({ isConfirmed }) =>
        isConfirmed ? alone.shift()! : { status: 'mismatch', reason: 'wrong_amount', foundAmount: 0n },
      );
  }
  return all;
}

const isConfirming = ({ status }: Comparison): boolean => status === 'confirmed';

function compareMoves({ logs }: ChainReceipt, transaction: ReportedTransaction): Comparison[] {
  const { reports } = transaction;
  const { transfers, ours, groups, rest, scale } = flowOf(logs, transaction);
  const redeemed = groups.filter(({ step }) => step === 'redeemed');
  const rests = shares(rest, redeemed.length > 0 ? redeemed : groups);
  const findings = new Array<Comparison>(reports.length);
  for (const group of groups) {
    const { reported, entered, places } = group;
    const beside = rests.get(group) ?? 0n;
    const found = entered + beside > 0n ? entered + beside : 0n;
    const isConfirmed = isSame(entered, reported, scale) && isSame(found, reported, scale);
    const reason =
      transfers === 0
        ? 'no_transfer'
        : ours === 0
          ? 'wrong_account'
          : entered === 0n
            ? 'no_vault_entry'
            : 'wrong_amount';
    const parts = isConfirmed
      ? places.map((place) => reports[place]!.amount)
      : gainParts(
          found / scale,
          places.map((place) => reports[place]!.amount),
        );
    places.forEach((place, index) => {
      findings[place] = {
        ...(isConfirmed ? { status: 'confirmed', reason: null } : { status: 'mismatch', reason }),
        foundAmount: parts[index]!,
      };
    });
  }
  return findings;
}

function groupsOf(
  { reports, contracts, accounts, paidFrom }: ReportedTransaction,
  logs: ChainReceipt['logs'],
  scale: bigint,
): Group[] {
  const groups = new Map<string, Group>();
  reports.forEach(({ step, vaultId, amount }, place) => {
    const key = `${step} ${vaultId}`;
    const contract = contracts.get(vaultId);
    const group = groups.get(key) ?? {
      step,
      places: [],
      reported: 0n,
      entered: contract ? vaultEntries(logs, contract, step, accounts) : 0n,
    };
    group.places.push(place);
    group.reported += amount * scale;
    groups.set(key, group);
  });
  // A vault may pay a withdrawal in the same transaction.
  for (const [key, group] of groups) {
    const paid = (paidFrom.get(key.slice('redeemed '.length)) ?? 0n) * scale;
    if (group.step === 'redeemed' && paid > 0n && isSame(group.entered, group.reported + paid, scale))
      group.entered -= paid;
  }
  return [...groups.values()];
}

/**
 * What vaults paid for withdrawals in the transaction itself, micro-units: others were funded before, out of the accounts. The cost of a withdrawal is
 * divided over its vaults, whichever of them paid less, so that only their sum is known.
 */
function paidByVaults(
  { reports, contracts, accounts, paidFrom }: ReportedTransaction,
  logs: ChainReceipt['logs'],
  scale: bigint,
): bigint {
  let sum = 0n;
  for (const [vaultId, paid] of paidFrom) {
    const contract = contracts.get(vaultId);
    if (!contract) continue;
    const reported = reports.reduce(
      (total, report) =>
        total + (report.step === 'redeemed' && report.vaultId === vaultId ? report.amount : 0n),
      0n,
    );
    const beyond = vaultEntries(logs, contract, 'redeemed', accounts) - reported * scale;
    if (beyond >= scale) sum += paid;
  }
  return sum;
}

/** Whether amounts are the same in micro-units: reports have no more decimals. */
const isSame = (a: bigint, b: bigint, scale: bigint): boolean => {
  const difference = a - b;
  return difference < scale && -difference < scale;
};

/** A sum, of either sign, in proportion to what was reported. */
function shares(rest: bigint, groups: readonly Group[]): Map<Group, bigint> {
  const size = rest < 0n ? -rest : rest;
  const parts = gainParts(
    size,
    groups.map(({ reported }) => reported),
  );
  return new Map(groups.map((group, index) => [group, rest < 0n ? -parts[index]! : parts[index]!]));
}
