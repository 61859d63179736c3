import type { CreatedSession, SignedIn } from '../../domain/tenants/access/session.service.js';
import { MAX_SESSION_SECONDS } from '../../domain/tenants/access/session.service.js';
import { SCOPES, type Scope } from '../../domain/tenants/access/scope.js';
import { ChoicesField, TextField, WholeNumberField } from '../../http/request/fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';

export class CreateSessionInputDto {
  @ChoicesField({
    description:
      "Scopes of the session: a subset of its key's. Default: `read` and `partner:read`, as far as the key has them; of a key with neither, as with a one-time code, all scopes of the key.",
    of: SCOPES,
    optional: true,
  })
  scopes?: Scope[];

  @WholeNumberField({
    description: 'Validity in seconds; the session ends with its key at the latest.',
    min: 1,
    max: MAX_SESSION_SECONDS,
    optional: true,
    default: MAX_SESSION_SECONDS,
  })
  expires_in?: number;

  @TextField({
    description: 'A one-time code from a console link, instead of a key in `Authorization`.',
    max: 100,
    optional: true,
  })
  code?: string;
}

export class Session {
  @Shown.text(
    'Id of the session (`ses_...`), or of the key of this request.',
    'ses_01kaabcdefghjkmnpqrstvwxyz',
  )
  id: string;
  @Shown.kind('session') object: 'session';
  @Shown.choices(SCOPES, 'What it may do.', ['partner:read', 'read']) scopes: readonly Scope[];
  @ShownOrNull.id('ptn', 'Partner of its key; null without one.')
  partner_id: string | null;
  @ShownOrNull.text('Name of that partner; null without one.', 'Acme Wallet') partner_name: string | null;
  @Shown.environment('Its environment.') environment: string;
  @ShownOrNull.time('When it expires; null for a key without an expiry.')
  expires_at: string | null;
  @Shown.text('Label of its key.', 'Reporting, production') label: string;
}

export class CreatedSessionOutputDto extends Session {
  @Shown.text('Its secret, shown only in this answer. Send it like a key.', null, {
    byEnvironment: {
      live: { example: 'vl_live_9fQxNotARealKeyNotARealKeyNotARealKey0' },
      sandbox: { example: 'vl_sandbox_9NotARealKeyNotARealKeyNotARealKey0000' },
    },
  })
  secret: string;
}

export class EndedSession {
  @Shown.id('ses') id: string;
  @Shown.kind('session') object: 'session';
  @Shown.flag('Always true.', true) ended: boolean;
}

const signedInView = viewOf(Session);

export const sessionView = (session: SignedIn, environment: string): Session =>
  signedInView({ ...session, environment });

export const createdSessionView = (
  { secret, ...session }: CreatedSession,
  environment: string,
): CreatedSessionOutputDto => ({ ...sessionView(session, environment), secret });
