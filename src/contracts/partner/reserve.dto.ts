import { READABLE_CHAINS, type ReadableChain } from '../../config/chains.js';
import { IDLE_PREFIX } from '../../config/vault-catalogue.js';
import type { RoundedRate } from '../../domain/kernel/money.js';
import {
  coverageOf,
  differenceOf,
  type Reserve,
  UNKNOWN_RESERVES,
  type UnknownReserve,
} from '../../domain/reporting/reserves/reserve.js';
import type { ReservesFilter } from '../../domain/reporting/reserves/reserves.service.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { defined } from '../../http/defined.js';
import { AssetField, ChoiceField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import {
  IdFilterField,
  queryTime,
  QueryTimeField,
  VaultFilterField,
} from '../../http/request/query-fields.js';

const REASONS = [
  '`no_account`: no custody account is set on the chain, with separate custody none of the partner.',
  '`queue`: the vault pays out by a queue, whose requests are not read.',
  '`contract_unknown`, `token_unknown`: the configuration names no contract of the vault, or of the asset.',
  '`no_rpc_url`: this deployment does not read the chain.',
  '`no_finalized_block`: no provider had a reliable one.',
  '`providers_disagree`: no answer had a majority.',
  '`contract_unreadable`: the contract gave no amount.',
].join(' ');

export class ReserveDto {
  @ShownOrNull.text('Chain; null: cash of several chains, or of none that is known.', READABLE_CHAINS[0]!)
  chain: string | null;
  @ShownOrNull.integer(
    'Finalized block that was read; null: none, or one of each of several chains.',
    21_000_000,
  )
  block: number | null;
  @ShownOrNull.time(
    'Time of the block, at which the books are taken; of several chains the oldest. null: none was read.',
  )
  block_at: string | null;
  @Shown.asset('Asset of the amounts.') asset: string;
  @ShownOrNull.text('Vault; null: cash, and funds in transit.', placeholder('vault')) vault_id: string | null;
  @ShownOrNull.id(
    'ptn',
    'Partner whose accounts they are, with separate custody; null: they hold the funds of all.',
  )
  partner_id: string | null;
  @Shown.texts('Custody accounts that were read. Administrators see them.', [
    '0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f',
  ])
  custody_accounts: readonly string[];
  @ShownOrNull.amount(
    "Funds by the books, gains that wait for a review among them. Of a partner's key: its own part. null for other keys without `partner:admin`.",
    1000,
  )
  books: number | null;
  @ShownOrNull.amount(
    "What the custody accounts hold; null: not known, or the key is not an administrator's.",
    1000.5,
  )
  chain_holds: number | null;
  @ShownOrNull.amount('`chain_holds` less `books`; null as there.', 0.5) difference: number | null;
  @ShownOrNull.rate('`chain_holds` by all of the books; null: not known, or nothing is in the books.', 1.0005)
  coverage: RoundedRate | null;
  @ShownOrNull.amount(
    'What executors had taken and not reported, within a day: it may be elsewhere; and a step of the share price that the books take in later. For administrators, else null.',
    0,
  )
  in_flight: number | null;
  @ShownOrNull.choice(UNKNOWN_RESERVES, `Why it is not known; null: it is. ${REASONS}`, null)
  reason: UnknownReserve | null;
}

export class Reserves {
  @Shown.kind('reserves') object: 'reserves';
  @ShownOrNull.time('When the chains were read; null: not yet, or no funds are real.') as_of: string | null;
  @Shown.records(
    () => ReserveDto,
    'A row for each vault, and for the cash of each asset; with separate custody for each partner that has funds there.',
  )
  rows: readonly ReserveDto[];
}

export class ReserveReading extends ReserveDto {
  @Shown.time('When the chains were read.') as_of: string;
}

export class ReservesQuery extends PageQuery {
  @ChoiceField({ description: 'Only of this chain.', of: READABLE_CHAINS, optional: true })
  chain?: ReadableChain;
  @AssetField({ description: 'Only of this asset.', optional: true }) asset?: string;
  @VaultFilterField({
    description: 'Only of this vault.',
    example: placeholder('vault'),
  })
  vault_id?: string;
  @IdFilterField({ kind: 'partner', description: "Only of this partner's accounts, with separate custody." })
  partner_id?: string;
  @QueryTimeField({ description: 'Only readings of hours from this time on.', edge: 'start' }) from?: string;
  @QueryTimeField({ description: 'Only readings of hours up to this time.', edge: 'end' }) to?: string;
}

export const reservesFilter = ({
  chain,
  asset,
  vault_id: vaultId,
  partner_id: partnerId,
  from,
  to,
}: ReservesQuery): Omit<ReservesFilter, 'viewer'> => ({
  ...defined({ chain, asset, vaultId, partnerId }),
  ...(from !== undefined && { from: queryTime(from)! }),
  ...(to !== undefined && { to: queryTime(to, 'end')! }),
});

/** Amounts that a caller sees: all, its own part of the books, or none. */
export type SeenAmounts = { books: bigint | null; isAdministrator: boolean };

const seen = (reserve: Reserve, { books, isAdministrator }: SeenAmounts) => ({
  ...reserve,
  vaultId: reserve.vaultId.startsWith(IDLE_PREFIX) ? null : reserve.vaultId,
  coverage: coverageOf(reserve),
  books,
  asOf: reserve.readAt,
  ...(isAdministrator
    ? { difference: differenceOf(reserve) }
    : { custodyAccounts: [], chainHolds: null, difference: null, inFlight: null }),
});

const rowView = viewOf(ReserveDto);
const readingView = viewOf(ReserveReading);

export const reserveView = (reserve: Reserve, amounts: SeenAmounts): ReserveDto =>
  rowView(seen(reserve, amounts));

export const reserveReadingView = (reserve: Reserve, amounts: SeenAmounts): ReserveReading =>
  readingView(seen(reserve, amounts));
