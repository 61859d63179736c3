import { POSITION_STATUSES, type PositionStatus } from '../../domain/books/positions/position.js';
import type { PositionRecord, WithdrawnRecord } from '../../domain/books/positions/position-record.js';
import type { RoundedRate } from '../../domain/kernel/rate.js';
import { AssetField, ChoiceField, FlagField, IdFilterField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { AsOfField } from './as-of.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';

/** Shared declaration of an end-user's positions; only live transfers have a settlement. */
export const USER_POSITIONS_OPERATION = {
  summary: "List an end-user's positions",
  description: 'Positions of one of your end-users, newest first, each with what it is worth now.',
  access: { scopes: ['partner:read'], partner: true },
} as const;

/** Filters of positions. */
export class PositionsQuery extends PageQuery {
  @IdFilterField({ description: 'Only positions of this end-user.', kind: 'user' })
  user_id?: string;

  @AssetField({ description: 'Only positions of this asset.', optional: true }) asset?: string;

  @ChoiceField({ description: 'Only positions of this status.', of: POSITION_STATUSES, optional: true })
  status?: PositionStatus;

  @AsOfField() as_of?: string;
}

/** Field of a deposit that may be split. */
export const SplitField = (): PropertyDecorator =>
  FlagField({
    description:
      '`true`: up to eight positions of equal amounts, one unit each at least, which share a `deposit_id`. Each is routed after the one before, by the same rules and limits, so that a large deposit is spread over vaults. The answer is then `object: "list"`, with all of them.',
    optional: true,
    default: false,
    example: false,
  });

export class PartnerPosition implements PositionRecord {
  @Shown.id('pos', 'Id of the position.') id: string;
  @Shown.kind('position') object: 'position';
  @Shown.id('usr', 'End-user whose it is.') user_id: string;
  @Shown.asset('Asset that was deposited.') asset: string;
  @Shown.text('Deposit that was split into several positions, which share it; null: this one alone.', null, {
    nullable: true,
    extension: true,
  })
  deposit_id: string | null;
  @Shown.text(
    "Vault that it is in; of a closed one, that it was in last. While no vault may take the funds, or they are on the way from one that pays out late, they are in the asset's idle vault, such as `vlt_idle_usdc`, which yields 0.",
    said('otherVault'),
  )
  vault_id: string;
  @Shown.text('First yield vault that it was in; null before that.', said('vault'), { nullable: true })
  origin_vault_id: string | null;
  @Shown.choice(
    POSITION_STATUSES,
    '`pending`: no vault could take the deposit yet, each hour tries again. `active` from its first yield vault on. `closed` once all of it was withdrawn.',
    'active',
  )
  status: PositionStatus;
  @Shown.number(
    'Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.',
    250,
  )
  principal: number;
  @Shown.number(
    'What it is worth at this moment, in whole asset units: `principal` and `yield`, which runs by the millisecond.',
    250.412345,
  )
  value: number;
  @Shown.number('What it earned so far, net of costs, in whole asset units; below 0 where it lost.', 0.412345)
  yield: number;
  @Shown.number('What its moves between vaults cost so far, in whole asset units.', 0.000517) costs: number;
  @Shown.rate(
    'Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed.',
    0.0523,
    { nullable: true },
  )
  apy: RoundedRate | null;
  @Shown.time('When it was opened.') opened_at: string;
  @Shown.time('When it came into its first yield vault; null before that.', { nullable: true })
  active_at: string | null;
  @Shown.time('When the last of it was withdrawn; null before that.', { nullable: true, example: null })
  closed_at: string | null;
}

export class WithdrawnPosition extends PartnerPosition implements WithdrawnRecord {
  @Shown.number('What this withdrawal paid out, in whole asset units.', 100) amount: number;
}
