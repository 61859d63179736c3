import { Injectable } from '@nestjs/common';
import { explorerUrl } from '../../config/chains.js';
import { toUnits } from '../../domain/books/positions/amount.js';
import type { PositionRecord } from '../../domain/books/positions/position-record.js';
import {
  type Resolution,
  RESOLUTIONS,
  type Settlement,
  SETTLEMENT_REASONS,
  SETTLEMENT_STATUSES,
  type SettlementReason,
  type SettlementStatus,
  type ShownSettlement,
} from '../../domain/routing/settlements/settlement.js';
import { SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { Shown } from '../../http/answer/shown.js';
import { ChoiceField, IdFilterField, TextField } from '../../http/request/fields.js';
import { Listed, PageQuery } from '../../http/request/paging.js';
import { PartnerPosition, WithdrawnPosition } from '../shared/position.dto.js';

const STATUS =
  '`unchecked`: nothing is known of it, see `reason`. `seen`: in a block that may yet be reorganised. `confirmed`: final, and what was reported. `mismatch`: final, and something else. ' +
  '`not_found`: no block has it, long after it was reported.';
const REASON =
  'Of what is unchecked: `chain_not_named` (the asset has several, and the report named none), `token_unknown` and `no_rpc_url` (this deployment knows no contract of the asset there, or does ' +
  'not read the chain), `not_checked_yet`, `not_in_a_block`, `no_wallet` (the end-user has none). Of a mismatch: `transaction_failed`, `no_transfer` of the asset, `wrong_wallet` (none of the ' +
  "end-user's), `wrong_amount`. null of the others.";
const RESOLUTION =
  'What was decided of one that the chain contradicts: `accept`, it stands as it was reported; `void`, it was taken back. null: nothing was.';

/** Settlement shown beside its transfer. */
export class ShownSettlementDto {
  @Shown.id('set', 'Id of the settlement.') id: string;
  @Shown.choice(SETTLEMENT_STATUSES, STATUS, 'confirmed') status: SettlementStatus;
  @Shown.choice(SETTLEMENT_REASONS, REASON, null, { nullable: true }) reason: SettlementReason | null;
  @Shown.integer('Block of the transaction; null where none has it.', 21_000_000, { nullable: true })
  block: number | null;
  @Shown.time('When its chain was asked last; null: never.', { nullable: true }) checked_at: string | null;
  @Shown.choice(RESOLUTIONS, RESOLUTION, null, { nullable: true }) resolution: Resolution | null;
  @Shown.text('Hash that was reported, in lower case.', `0x${'5f'.repeat(32)}`) tx_hash: string;
  @Shown.text(
    'Chain that it was reported of, or the only one that the asset is on; null where it has several.',
    'ethereum',
    { nullable: true },
  )
  chain: string | null;
  @Shown.text(
    'Page that shows the transaction to people; null where none is known of its chain.',
    `https://etherscan.io/tx/0x${'5f'.repeat(32)}`,
    { nullable: true },
  )
  explorer_url: string | null;
}

export class SettlementDto extends ShownSettlementDto {
  @Shown.kind('settlement') object: 'settlement';
  @Shown.id('ptn', 'Partner whose end-user it is of.') partner_id: string;
  @Shown.id('usr', 'End-user whose transfer it is.') user_id: string;
  @Shown.id('pos', 'Position that it is of; of a split deposit, the first one.') position_id: string;
  @Shown.text('Split deposit that it is of, with all its positions; null: of the position alone.', null, {
    nullable: true,
  })
  deposit_id: string | null;
  @Shown.choice(['deposit', 'withdrawal'], 'What was reported.', 'deposit') type: 'deposit' | 'withdrawal';
  @Shown.asset('Asset that was reported.') asset: string;
  @Shown.number(
    'Amount that was reported, in whole asset units; of a withdrawal of everything, what was paid.',
    250,
  )
  amount: number;
  @Shown.number(
    "What the end-user's wallets sent of the asset in the transaction, less what they got; of a withdrawal the other way round. null where it was not judged.",
    250,
    { nullable: true },
  )
  found_amount: number | null;
  @Shown.text('What whoever resolved it noted; null where nobody did.', null, { nullable: true })
  note: string | null;
  @Shown.time('When it was reported.') reported_at: string;
  @Shown.time('When it was resolved; null: it was not.', { nullable: true, example: null })
  resolved_at: string | null;
}

/** Filters of settlements. */
export class SettlementsQuery extends PageQuery {
  @ChoiceField({
    description: 'Only settlements of this status.',
    of: SETTLEMENT_STATUSES,
    optional: true,
  })
  status?: SettlementStatus;

  @IdFilterField({ description: 'Only settlements of this position.', kind: 'position' })
  position_id?: string;

  @ChoiceField({
    description: '`open`: only those that nobody resolved. Absent: all.',
    of: ['open'],
    optional: true,
  })
  resolution?: 'open';
}

export class ResolveSettlementInputDto {
  @ChoiceField({
    description:
      '`accept`: the transfer stands as it was reported. `void`: it is taken back, by an entry that compensates it; its `tx_hash` is free to be reported anew, as it was.',
    of: RESOLUTIONS,
    example: 'void',
  })
  action: Resolution;

  @TextField({ description: 'Why: kept with the settlement.', max: 500, example: 'Reported by mistake.' })
  note: string;
}

export const shownSettlementView = (one: ShownSettlement): ShownSettlementDto => ({
  id: one.id,
  status: one.status,
  reason: one.reason,
  block: one.block,
  checked_at: one.checkedAt?.toISOString() ?? null,
  resolution: one.resolution,
  tx_hash: one.txHash,
  chain: one.chain,
  explorer_url: explorerUrl(one.chain, one.txHash),
});

export const settlementView = (one: Settlement): SettlementDto => ({
  ...shownSettlementView(one),
  object: 'settlement',
  partner_id: one.partnerId,
  user_id: one.userId,
  position_id: one.positionId,
  deposit_id: one.depositId,
  type: one.type,
  asset: one.asset,
  amount: toUnits(one.amount),
  found_amount: one.foundAmount === null ? null : toUnits(one.foundAmount),
  note: one.note,
  reported_at: one.reportedAt.toISOString(),
  resolved_at: one.resolvedAt?.toISOString() ?? null,
});

const SETTLEMENT =
  'What the chain says of its transfers: of the one that stops further transfers, until it is resolved, or else of the latest. null where nothing was transferred.';

export class SettledPosition extends PartnerPosition {
  @Shown.record(() => ShownSettlementDto, SETTLEMENT, { nullable: true })
  settlement: ShownSettlementDto | null;
}

export class SettledWithdrawnPosition extends WithdrawnPosition {
  @Shown.record(() => ShownSettlementDto, SETTLEMENT, { nullable: true })
  settlement: ShownSettlementDto | null;
}

/** Adds settlements to positions. */
@Injectable()
export class SettledPositions {
  constructor(private readonly settlements: SettlementService) {}

  async one<Position extends PositionRecord>(
    position: Position,
  ): Promise<Position & { settlement: ShownSettlementDto | null }> {
    const [settled] = await this.all([position]);
    return settled!;
  }

  listed(list: Listed<PositionRecord>): Promise<Listed<SettledPosition>> {
    return list.map((items) => this.all(items));
  }

  private async all<Position extends PositionRecord>(
    positions: readonly Position[],
  ): Promise<(Position & { settlement: ShownSettlementDto | null })[]> {
    const found = await this.settlements.ofPositions(positions.map(({ id }) => id));
    return positions.map((position) => {
      const settlement = found.get(position.id);
      return { ...position, settlement: settlement ? shownSettlementView(settlement) : null };
    });
  }
}
