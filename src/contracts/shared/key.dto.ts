import type { DeploymentEnvironment } from '../../config/deployments.js';
import type { CreatedKey, ListedKey } from '../../domain/tenants/access/key.service.js';
import { maskedSecret } from '../../domain/tenants/access/authenticator.js';
import { SCOPES, type Scope } from '../../domain/tenants/access/scope.js';
import {
  ChoicesField,
  EnvironmentField,
  IdField,
  TextField,
  TimestampField,
} from '../../http/request/fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { PreviousSecondsField } from './previous-seconds.js';

export class CreateKeyInputDto {
  @TextField({ description: 'Label of the key.', max: 120, example: 'Reporting, production' })
  label: string;

  @ChoicesField({
    description:
      '`partner:read` needs a `partner_id`; a key with a `partner_id` may hold only `partner:read` and `read`.',
    of: SCOPES,
    optional: true,
    default: ['read'],
    example: ['partner:read', 'read'],
  })
  scopes?: Scope[];

  @IdField({ description: 'Binds the key to this active partner.', prefix: 'ptn', optional: true })
  partner_id?: string;

  @EnvironmentField({ description: "If given, must be the deployment's environment.", optional: true })
  environment?: DeploymentEnvironment;

  @TimestampField({
    description: 'When the key expires: a time in the future, in UTC. null: never.',
    optional: true,
    nullable: true,
    default: null,
  })
  expires_at?: string | null;
}

export class RotateKeyInputDto {
  @PreviousSecondsField('Seconds for which the old key stays valid; 0 ends it at once.')
  previous_expires_in?: number;
}

export class ApiKeyDto {
  @Shown.id('key') id: string;
  @Shown.kind('api_key') object: 'api_key';
  @Shown.text('Label of the key.', 'Reporting, production') label: string;
  @Shown.text('The first 12 characters of the secret, to identify the key.', 'vl_live_9fQx', {
    byEnvironment: { sandbox: { example: 'vl_sandbox_9' } },
  })
  prefix: string;
  @Shown.environment('Environment that the key belongs to.') environment: string;
  @Shown.time() created_at: string;
  @ShownOrNull.time(
    'When it was last used, to the second, within 15 seconds of the use; null before the first use.',
    { example: null },
  )
  last_used_at: string | null;
  @Shown.flag('Whether the key is revoked and refused.', false) revoked: boolean;
  @Shown.flag(
    'Whether a restore of the database suspended the key; it is refused until the operator resumes it.',
    false,
  )
  suspended: boolean;
  @ShownOrNull.time('When the key expires; null: never.', { example: null })
  expires_at: string | null;
  @Shown.choices(SCOPES, 'What the key may do.', ['partner:read', 'read']) scopes: Scope[];
  @ShownOrNull.id('ptn', 'Partner that the key is bound to; null without one.')
  partner_id: string | null;
  @Shown.secret(
    'In full only in the answer that creates the key, masked otherwise.',
    { masked: 'vl_live_9fQx****', once: 'vl_live_9fQxNotARealKeyNotARealKeyNotARealKey0' },
    { sandbox: { masked: 'vl_sandbox_9****', once: 'vl_sandbox_9NotARealKeyNotARealKeyNotARealKey0000' } },
  )
  secret: string;
}

export class RevokedApiKey {
  @Shown.id('key') id: string;
  @Shown.flag('Always true.', true) revoked: boolean;
}

const listedView = viewOf(
  ApiKeyDto,
  ({ revokedAt, suspendedAt, prefix }: ListedKey & { environment: string }) => ({
    revoked: revokedAt !== null,
    suspended: suspendedAt !== null,
    secret: maskedSecret(prefix),
  }),
);

export const keyView = (key: ListedKey, environment: string): ApiKeyDto =>
  listedView({ ...key, environment });

export const createdKeyView = ({ key, secret }: CreatedKey, environment: string): ApiKeyDto => ({
  ...keyView(key, environment),
  secret,
});
