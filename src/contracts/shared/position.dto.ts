import { POSITION_STATUSES, type PositionStatus } from '../../domain/books/positions/position.js';
import type { PositionRecord, WithdrawnRecord } from '../../domain/books/positions/quotes.js';
import type { RoundedRate } from '../../domain/kernel/money.js';
import { AssetField, ChoiceField, FlagField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { AsOfField } from './as-of.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { IdFilterField } from '../../http/request/query-fields.js';

/** The contracts add their own `data`: only live transfers have a settlement. */
export const USER_POSITIONS_OPERATION = {
  summary: "List an end-user's positions",
  description: 'Positions of one end-user, newest first, with current values.',
  access: { scopes: ['partner:read'], partner: true },
} as const;

export class PositionsQuery extends PageQuery {
  @IdFilterField({ description: 'Only positions of this end-user.', kind: 'user' })
  user_id?: string;

  @AssetField({ description: 'Only positions of this asset.', optional: true }) asset?: string;

  @ChoiceField({ description: 'Only positions of this status.', of: POSITION_STATUSES, optional: true })
  status?: PositionStatus;

  @AsOfField() as_of?: string;
}

export const SplitField = (): PropertyDecorator =>
  FlagField({
    description:
      '`true`: splits the deposit into up to eight equal positions of at least one unit, which share a `deposit_id` and are routed one after another, so that a large deposit is spread over vaults. The answer is then a list (`object: "list"`).',
    optional: true,
    default: false,
    example: false,
  });

export class PartnerPosition implements PositionRecord {
  @Shown.id('pos') id: string;
  @Shown.kind('position') object: 'position';
  @Shown.id('usr', 'End-user of the position.') user_id: string;
  @Shown.asset('Asset that was deposited.') asset: string;
  @ShownOrNull.text('Deposit that was split into several positions; null: not split.', null, {})
  deposit_id: string | null;
  @Shown.text(
    "Its vault; for a closed position, the last one. Funds that no vault accepts yet, or that are in transit, are in the asset's idle vault such as `vlt_idle_usdc`, which yields 0.",
    placeholder('otherVault'),
  )
  vault_id: string;
  @ShownOrNull.text('Its first yield vault; null before that.', placeholder('vault'))
  origin_vault_id: string | null;
  @Shown.choice(
    POSITION_STATUSES,
    '`pending`: no vault has accepted the deposit yet; each hour tries again. `active` from its first yield vault on. `closed` once everything was withdrawn.',
    'active',
  )
  status: PositionStatus;
  @Shown.amount('Deposits less withdrawals; negative once withdrawals exceed deposits.', 250)
  principal: number;
  @Shown.amount('Current value: `principal` + `yield`, which accrues by the millisecond.', 250.412345)
  value: number;
  @Shown.amount('Yield so far, net of costs; negative after a loss.', 0.412345)
  yield: number;
  @Shown.amount(
    'Costs of its moves between vaults so far, and of payments whose vault paid out less than was withdrawn.',
    0.000517,
  )
  costs: number;
  @ShownOrNull.rate(
    'Last observed annual yield of its vault, as a fraction: 0.0523 is 5.23 %. null where unknown or over 24 hours old, and for a closed position.',
    0.0523,
  )
  apy: RoundedRate | null;
  @Shown.time('When it was opened.') opened_at: string;
  @ShownOrNull.time('When it entered its first yield vault; null before that.')
  active_at: string | null;
  @ShownOrNull.time('When everything was withdrawn; null before that.', { example: null })
  closed_at: string | null;
}

export class WithdrawnPosition extends PartnerPosition implements WithdrawnRecord {
  @Shown.amount('Amount that this withdrawal paid out.', 100) amount: number;
}
