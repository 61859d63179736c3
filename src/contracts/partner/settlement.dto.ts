import { Injectable } from '@nestjs/common';
import type { PositionRecord } from '../../domain/books/positions/quotes.js';
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
import { explorerUrl, SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { ChoiceField, TextField } from '../../http/request/fields.js';
import { ListPage, PageQuery } from '../../http/request/paging.js';
import { PartnerPosition, WithdrawnPosition } from '../shared/position.dto.js';
import { IdFilterField } from '../../http/request/query-fields.js';

const STATUS =
  '`unchecked`: see `reason`. `seen`: in a block that may still be reorganised. `confirmed`: final, and as reported. `mismatch`: final, and not as reported. `not_found`: in no block, long after the report.';
const REASON =
  "If `unchecked`: `chain_not_named` (the asset has several chains and the report named none), `token_unknown` (no contract of the asset is known there), `no_rpc_url` (this deployment does not read the chain), `not_checked_yet`, `not_in_a_block`, `no_wallet` (the end-user has none). If `mismatch`: `transaction_failed`, `no_transfer` of the asset, `wrong_wallet` (not the end-user's), `wrong_amount`, `wrong_custody_amount` (of a withdrawal by user: the custody accounts moved another amount than was reported). Else null.";
const RESOLUTION =
  'Resolution of a contradicted transfer: `accept`, it stands as reported; `void`, it was reversed. null: unresolved.';

export class ShownSettlementDto {
  @Shown.id('set') id: string;
  @Shown.choice(SETTLEMENT_STATUSES, STATUS, 'confirmed') status: SettlementStatus;
  @ShownOrNull.choice(SETTLEMENT_REASONS, REASON, null) reason: SettlementReason | null;
  @ShownOrNull.integer('Block of the transaction; null without one.', 21_000_000)
  block: number | null;
  @ShownOrNull.time('When the chain was last checked; null: never.') checked_at: string | null;
  @ShownOrNull.choice(RESOLUTIONS, RESOLUTION, null) resolution: Resolution | null;
  @Shown.text('Reported hash, in lower case.', `0x${'5f'.repeat(32)}`) tx_hash: string;
  @ShownOrNull.text("Reported chain, or the asset's only chain; null where it has several.", 'ethereum')
  chain: string | null;
  @ShownOrNull.text(
    'Explorer page of the transaction; null where the chain has no known explorer.',
    `https://etherscan.io/tx/0x${'5f'.repeat(32)}`,
  )
  explorer_url: string | null;
}

export class SettlementDto extends ShownSettlementDto {
  @Shown.kind('settlement') object: 'settlement';
  @Shown.id('ptn', 'Partner of the end-user.') partner_id: string;
  @Shown.id('usr', 'End-user whose transfer it is.') user_id: string;
  @Shown.id('pos', 'Its position; for a split deposit, the first one.') position_id: string;
  @ShownOrNull.text('Its split deposit; null: not split.', null)
  deposit_id: string | null;
  @Shown.choice(['deposit', 'withdrawal'], 'What was reported.', 'deposit') type: 'deposit' | 'withdrawal';
  @Shown.asset('Asset that was reported.') asset: string;
  @Shown.amount(
    'Reported amount, in whole asset units; for a withdrawal of everything, the amount paid out.',
    250,
  )
  amount: number;
  @ShownOrNull.amount(
    "Net amount of the asset that left the end-user's wallets in the transaction, or for a withdrawal reached them. null where it was not checked.",
    250,
  )
  found_amount: number | null;
  @ShownOrNull.text('Note of the resolution; null if unresolved.', null)
  note: string | null;
  @Shown.time('When it was reported.') reported_at: string;
  @ShownOrNull.time('When it was resolved; null if unresolved.', { example: null })
  resolved_at: string | null;
}

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
    description: '`open`: only unresolved ones. Default: all.',
    of: ['open'],
    optional: true,
  })
  resolution?: 'open';
}

export class ResolveSettlementInputDto {
  @ChoiceField({
    description:
      '`accept`: the transfer stands as reported. `void`: a compensating entry reverses it, and its `tx_hash` may be reported again.',
    of: RESOLUTIONS,
    example: 'void',
  })
  action: Resolution;

  @TextField({
    description: 'Reason, stored with the settlement.',
    max: 500,
    example: 'Reported by mistake.',
  })
  note: string;
}

const explorer = ({ chain, txHash }: ShownSettlement) => ({ explorer_url: explorerUrl(chain, txHash) });

export const shownSettlementView = viewOf(ShownSettlementDto, explorer);

export const settlementView = viewOf(SettlementDto, (record: Settlement) => explorer(record));

const SETTLEMENT =
  'Status of its transfers on the chain: of an unresolved one that blocks further transfers, else of the latest. null without transfers.';

export class SettledPosition extends PartnerPosition {
  @ShownOrNull.record(() => ShownSettlementDto, SETTLEMENT)
  settlement: ShownSettlementDto | null;
}

export class SettledWithdrawnPosition extends WithdrawnPosition {
  @ShownOrNull.record(() => ShownSettlementDto, SETTLEMENT)
  settlement: ShownSettlementDto | null;
}

@Injectable()
export class SettledPositions {
  constructor(private readonly settlements: SettlementService) {}

  async attach<Position extends PositionRecord>(
    position: Position,
  ): Promise<Position & { settlement: ShownSettlementDto | null }> {
    const [positionWithSettlement] = await this.attachAll([position]);
    return positionWithSettlement!;
  }

  attachToPage(list: ListPage<PositionRecord>): Promise<ListPage<SettledPosition>> {
    return list.map((items) => this.attachAll(items));
  }

  private async attachAll<Position extends PositionRecord>(
    positions: readonly Position[],
  ): Promise<(Position & { settlement: ShownSettlementDto | null })[]> {
    const settlements = await this.settlements.findByPositions(positions.map(({ id }) => id));
    return positions.map((position) => {
      const settlement = settlements.get(position.id);
      return { ...position, settlement: settlement ? shownSettlementView(settlement) : null };
    });
  }
}
