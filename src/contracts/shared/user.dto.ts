import { USER_STATUSES, type UserStatus } from '../../domain/tenants/users/user.entity.js';
import { ChoiceField, EmailField, TextField, TextsField } from '../../http/request/fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { MetadataField } from '../../http/request/free-object-fields.js';

/** Description of an external id by contract. `x-unique-within` is its machine-readable form. */
const EXTERNAL_ID_IN = {
  live: {
    description: 'Your identifier of the end-user, unique across all partners: prefix it with your name.',
    'x-unique-within': 'deployment',
  },
  sandbox: {
    description: 'Your identifier of the end-user, unique within your account.',
    'x-unique-within': 'account',
  },
};
export const SHOWN_EXTERNAL_ID = {
  live: { description: "The partner's own identifier; unique over all partners." },
  sandbox: { description: "The account's own identifier; unique within the account." },
};
const LABEL = { description: 'Display name of the end-user.', max: 255, example: 'User 1042' };
const WALLETS = {
  description:
    'Wallet addresses, stored with their EIP-55 checksum. A mixed-case address must have a valid checksum. A wallet belongs to one of your users.',
  max: 20,
  pattern: /^0x[0-9a-fA-F]{40}$/,
  patternMessage: 'must be 0x and 40 hexadecimal digits',
  optional: true,
  example: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
};
const EMAIL = { description: 'Email address.', optional: true, nullable: true, example: 'user@acme.example' };
const METADATA = { description: 'Your own notes.' };

export class CreateUserInputDto {
  @TextField({
    description: EXTERNAL_ID_IN.live.description,
    max: 255,
    example: 'acme:user-1042',
    byEnvironment: EXTERNAL_ID_IN,
  })
  external_id: string;

  @TextField({ ...LABEL, description: `${LABEL.description} Default: the external id.`, optional: true })
  label?: string;

  @TextsField(WALLETS) wallets?: string[];
  @EmailField({ ...EMAIL }) email?: string | null;
  @MetadataField({ ...METADATA, default: {} }) metadata?: object;
}

export class UpdateUserInputDto {
  @TextField({ ...LABEL, optional: true }) label?: string;

  @TextsField({
    ...WALLETS,
    description: `${WALLETS.description} Replaces the whole list.`,
    example: ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  })
  wallets?: string[];

  @EmailField(EMAIL) email?: string | null;
  @MetadataField({ description: `${METADATA.description} Replaces the stored notes.` })
  metadata?: object;

  @ChoiceField({
    description: '`blocked`: deposits are refused, withdrawals stay possible.',
    of: USER_STATUSES,
    optional: true,
  })
  status?: UserStatus;
}

export class UserRecord {
  @Shown.id('usr') id: string;
  @Shown.kind('user') object: 'user';
  @Shown.text(SHOWN_EXTERNAL_ID.live.description, 'acme:user-1042', { byEnvironment: SHOWN_EXTERNAL_ID })
  external_id: string;
  @Shown.text('Display name of the user.', 'User 1042') label: string;
  @ShownOrNull.text('Email address; null without one.', 'user@acme.example')
  email: string | null;
  @Shown.metadata("The partner's notes.") metadata: object;
  @Shown.texts('Wallet addresses, checksummed (EIP-55), in the order given.', [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ])
  wallets: string[];
  @Shown.choice(
    USER_STATUSES,
    '`active` on creation; `blocked`: deposits are refused, withdrawals stay possible.',
    'active',
  )
  status: UserStatus;
  @Shown.time() created_at: string;
  @Shown.time('When the user was last changed.') updated_at: string;
}

export class UserBalance {
  @Shown.asset('Asset symbol.') asset: string;
  @Shown.amount("Sum of the values of the user's open positions in the asset.", 250.412345) value: number;
  @ShownOrNull.amount(
    'What can be withdrawn now: `value` less what open withdrawals reserve. null in a report as of a past moment.',
    250.412345,
  )
  available: number | null;
  @Shown.integer('Number of open positions in the asset.', 2) positions: number;
}

export const BALANCES = 'What the user has, by asset; empty without an open position.';

export class UserWithBalances extends UserRecord {
  @Shown.records(() => UserBalance, BALANCES) balances: readonly UserBalance[];
}

export class DeletedUser {
  @Shown.id('usr', 'Id of the user that was deleted.') id: string;
  @Shown.flag('Always true.', true) deleted: boolean;
}

export const userView = viewOf(UserRecord);
export const userWithBalancesView = viewOf(UserWithBalances);
