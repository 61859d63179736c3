import { ACTIVE_OR_DISABLED, type ActiveOrDisabled } from '../../domain/tenants/partners/partner.entity.js';
import { ChoiceField, EmailField, TextField, WholeNumberField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { ApiKeyDto } from './key.dto.js';
import { CustodyAccountsField, MetadataField } from '../../http/request/free-object-fields.js';

const NAME = { description: 'Name of the partner.', max: 120, example: 'Acme Wallet' };
const EMAIL = {
  description: 'Contact of the partner.',
  optional: true,
  nullable: true,
  example: 'ops@acme.example',
};
const SHARE = {
  description: "The partner's share of the performance fee, in basis points.",
  min: 0,
  max: 10_000,
  optional: true,
  example: 4000,
};
const FEE = {
  ...SHARE,
  description:
    'Performance fee, in basis points of yield beyond carried losses. A change applies from now on: yield so far is posted first, at the old terms.',
  example: 1000,
};
const ACCOUNTS_EXAMPLE = { ethereum: ['0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f'] };
const ACCOUNTS = {
  description:
    'Accounts that hold the funds of this partner, by chain, where `routing.custody` is separate. Replaces all of them; `{}`: none. An address belongs to one partner.',
  optional: true,
  liveOnly: true,
  example: ACCOUNTS_EXAMPLE,
  // Most deployments have one custody, which refuses it.
  leftOut: true,
};
const METADATA = { description: 'Your own notes.' };

export class CreatePartnerInputDto {
  @TextField(NAME) name: string;
  @EmailField(EMAIL) contact_email?: string | null;
  @WholeNumberField({ ...FEE, default: 1000 }) performance_fee_bps?: number;
  @WholeNumberField({ ...SHARE, default: 4000 }) revenue_share_bps?: number;
  @CustodyAccountsField(ACCOUNTS) custody_accounts?: Record<string, string[]>;
  @MetadataField({ ...METADATA, default: {} }) metadata?: object;
  @TextField({
    description: "Label of the partner's first key.",
    max: 120,
    optional: true,
    example: 'Acme, default key',
  })
  key_label?: string;
}

export class UpdatePartnerInputDto {
  @TextField({ ...NAME, optional: true }) name?: string;
  @EmailField(EMAIL) contact_email?: string | null;
  @WholeNumberField(FEE) performance_fee_bps?: number;
  @WholeNumberField(SHARE) revenue_share_bps?: number;
  @CustodyAccountsField(ACCOUNTS) custody_accounts?: Record<string, string[]>;
  @MetadataField({ description: `${METADATA.description} Replaces the stored notes.` })
  metadata?: object;
  @ChoiceField({
    description:
      '`disabled` revokes all keys of the partner and stops its deliveries; `active` restores no key.',
    of: ACTIVE_OR_DISABLED,
    optional: true,
  })
  status?: ActiveOrDisabled;
}

export class StatusQuery extends PageQuery {
  @ChoiceField({ description: 'Only records of this status.', of: ACTIVE_OR_DISABLED, optional: true })
  status?: ActiveOrDisabled;
}

export class PartnerDto {
  @Shown.id('ptn') id: string;
  @Shown.kind('partner') object: 'partner';
  @Shown.text('Name of the partner.', 'Acme Wallet') name: string;
  @Shown.choice(
    ACTIVE_OR_DISABLED,
    'A disabled partner has no valid key and receives no deliveries.',
    'active',
  )
  status: ActiveOrDisabled;
  @ShownOrNull.text('Contact address; null without one.', 'ops@acme.example')
  contact_email: string | null;
  @Shown.integer('Performance fee on yield, in basis points (0 to 10000).', 1000)
  performance_fee_bps: number;
  @Shown.integer('Share of the performance fee, in basis points (0 to 10000).', 4000)
  revenue_share_bps: number;
  @Shown.lists(
    'Accounts that hold the funds of this partner, by chain, in lower case. Used where `routing.custody` is separate.',
    ACCOUNTS_EXAMPLE,
    { optional: true, liveOnly: true },
  )
  custody_accounts?: Readonly<Record<string, readonly string[]>>;
  @Shown.amount(
    "Value of its end-users' positions now, in whole units over all assets; stablecoins are added at par.",
    111_406.335754,
  )
  net_tvl: number;
  @Shown.metadata('Notes of the administrator.') metadata: object;
  @Shown.time() created_at: string;
  @Shown.time('When the partner was last changed.') updated_at: string;
  @ShownOrNull.time('When the partner was disabled; null while active.', { example: null })
  disabled_at: string | null;
}

export class PartnerCreated {
  @Shown.kind('partner_created') object: 'partner_created';
  @Shown.record(() => PartnerDto, 'The new partner.') partner: PartnerDto;
  @Shown.record(() => ApiKeyDto, 'Its key (`partner:read`, `read`), with the full secret: store it.')
  api_key: ApiKeyDto;
}

export const partnerView = viewOf(PartnerDto);
