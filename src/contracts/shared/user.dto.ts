import { USER_STATUSES } from '../../domain/users/user.entity.js';
import type { UserWithWallets } from '../../domain/users/user.service.js';
import { EmailField, MetadataField, TextField, TextsField } from '../../http/fields.js';
import { Shown } from '../../http/shown.js';

export class CreateUserInputDto {
  @TextField({
    description:
      'Your own identifier of the end-user. Unique over all partners: put a name of yours before it.',
    max: 255,
    example: 'acme:user-1042',
  })
  external_id: string;

  @TextField({
    description: 'What people call the end-user. Default: the external id.',
    max: 255,
    optional: true,
    example: 'User 1042',
  })
  label?: string;

  @TextsField({
    description:
      'Wallet addresses, stored with their EIP-55 checksum. Mixed case must carry a valid one. A wallet belongs to one user.',
    max: 20,
    pattern: /^0x[0-9a-fA-F]{40}$/,
    patternMessage: 'each must be 0x and 40 hexadecimal digits',
    optional: true,
    example: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  })
  wallets?: string[];

  @EmailField({ description: 'Email address.', optional: true, nullable: true, example: 'user@acme.example' })
  email?: string | null;

  @MetadataField({ description: 'Your own notes: flat texts.', default: {} }) metadata?: Record<
    string,
    string
  >;
}

export class UserRecord {
  @Shown.id('usr', 'Id of the user.') id: string;
  @Shown.kind('user') object: 'user';
  @Shown.text("The partner's own identifier; unique over all partners.", 'acme:user-1042')
  external_id: string;
  @Shown.text('What people call the user.', 'User 1042') label: string;
  @Shown.text('Email address; null when none was recorded.', 'user@acme.example', { nullable: true })
  email: string | null;
  @Shown.metadata("The partner's notes.") metadata: Record<string, string>;
  @Shown.texts('Wallet addresses, checksummed (EIP-55), in the order given.', [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ])
  wallets: string[];
  @Shown.choice(USER_STATUSES, '`active` on creation.', 'active') status: string;
  @Shown.time('When the user was created.') created_at: string;
  @Shown.time('When the user was last changed.') updated_at: string;
}

export const userView = (user: UserWithWallets): UserRecord => ({
  id: user.id,
  object: 'user',
  external_id: user.externalId,
  label: user.label,
  email: user.email,
  metadata: user.metadata,
  wallets: user.wallets,
  status: user.status,
  created_at: user.createdAt.toISOString(),
  updated_at: user.updatedAt.toISOString(),
});
