import { Injectable } from '@nestjs/common';
import { ArrayContains, Column, Entity, type FindOneOptions, PrimaryColumn } from 'typeorm';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { isId, newId } from '../../kernel/identifier.js';
import { Cipher } from '../../kernel/store/cipher.js';
import { differs } from '../../kernel/store/changes.js';
import { columnsOf, integer, moment, recordOf, text } from '../../kernel/store/column.js';
import { newestFirst, type Page, type PageRequest } from '../../kernel/store/page.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { EVENT_TYPES, type EventType } from './event-type.js';
import { maskSigningSecret, newSigningSecret } from './signature.js';
import { UrlGuard } from '../egress/url-guard.js';

@Entity('webhook_endpoints')
class Endpoint {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  @Column('text') url: string;
  @Column('text', { array: true }) events: EventType[];
  @Column('text', { nullable: true }) description: string | null;
  /** The signing secret, encrypted with the id as its context. */
  @Column('bytea') secretSealed: Buffer;
  /** Previous secret, sealed likewise, while sends are signed with both. */
  @Column('bytea', { nullable: true }) previousSealed: Buffer | null;
  /** Time from which the previous secret signs nothing; it is erased soon after. */
  @Column('timestamptz', { nullable: true }) previousExpiresAt: Date | null;
  /** `whsec_****` and the secret's last four characters. */
  @Column('text') secretMasked: string;
  @Column('boolean') active: boolean;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/** Health of an endpoint's receiver: a row of its own, because each outcome changes it. Every send with a known outcome counts, test sends included. */
@Entity('endpoint_health')
class EndpointHealth {
  @PrimaryColumn('text') webhookId: string;
  @Column('timestamptz', { nullable: true }) lastSuccessAt: Date | null;
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  @Column('int', { default: 0 }) consecutiveFailures: number;
}

type EndpointFields = Pick<Endpoint, 'url' | 'events' | 'description' | 'active'>;
export type NewEndpoint = Pick<Endpoint, 'url'> & Partial<EndpointFields>;

export type EndpointWithHealth = Endpoint & Omit<EndpointHealth, 'webhookId'>;

export type SealedSecrets = Pick<Endpoint, 'secretSealed' | 'previousSealed' | 'previousExpiresAt'>;

export interface CreatedEndpoint {
  endpoint: EndpointWithHealth;
  secret: string;
}

/** Lock that serialises registrations of one partner; otherwise two concurrent ones could both take the last free slot. */
const LOCK_PARTNER = statement(
  'webhooks.lock_partner',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM partners WHERE id = $1 FOR NO KEY UPDATE`,
);

const ENDPOINT = recordOf(Endpoint);
const { webhookId: _webhookId, ...HEALTH } = recordOf(EndpointHealth);
const UNTRIED = { lastSuccessAt: null, failingSince: null, consecutiveFailures: 0 };

/** $1 partner, $2/$3 keyset position (time, id), $4 rows. */
const LIST = statement(
  'webhooks.list_endpoints',
  { values: [text(), moment(), text(), integer()], row: { ...ENDPOINT, ...HEALTH } },
  `SELECT ${columnsOf(ENDPOINT, 'w')}, ${columnsOf(HEALTH, 'h')} FROM webhook_endpoints w JOIN endpoint_health h ON h.webhook_id = w.id
    WHERE w.partner_id = $1 AND (w.created_at, w.id) < ($2, $3) ORDER BY w.created_at DESC, w.id DESC LIMIT $4::int`,
);

/** Erases expired secrets, skipping endpoints whose rows are locked at this moment. */
const ERASE_EXPIRED = statement(
  'webhooks.erase_expired_secrets',
  { values: [], row: {} },
  `UPDATE webhook_endpoints w SET previous_sealed = NULL, previous_expires_at = NULL
     FROM (SELECT id FROM webhook_endpoints WHERE previous_expires_at <= clock_timestamp() ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) AS expired
    WHERE w.id = expired.id`,
);

@Injectable()
export class EndpointService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly cipher: Cipher,
    private readonly guard: UrlGuard,
  ) {}

  /** Checks a receiver's URL as registration does, outside a transaction: it resolves the name. Throws DomainError `webhook_url_forbidden`. */
  async checkUrl(url: string): Promise<void> {
    await this.guard.check(url, 'register');
  }

  /** Registers an endpoint whose URL has passed the check. @throws DomainError `webhook_limit_reached` */
  async register(partnerId: string, input: NewEndpoint): Promise<CreatedEndpoint> {
    return this.store.transaction(async () => {
      await this.requireRoom(partnerId);
      const now = this.clock.now();
      const id = newId('webhook', now);
      const secret = newSigningSecret();
      const endpoint: Endpoint = {
        id,
        partnerId,
        url: input.url,
        events: input.events ?? [...EVENT_TYPES],
        description: input.description ?? null,
        secretSealed: this.cipher.encrypt(secret, id),
        previousSealed: null,
        previousExpiresAt: null,
        secretMasked: maskSigningSecret(secret),
        active: input.active ?? true,
        createdAt: now,
        updatedAt: now,
      };
      await this.store.repository(Endpoint).insert(endpoint);
      await this.store.repository(EndpointHealth).insert({ webhookId: id });
      return { endpoint: { ...endpoint, ...UNTRIED }, secret };
    });
  }

  async list(partnerId: string, page: PageRequest): Promise<Page<EndpointWithHealth>> {
    return newestFirst((...after) => this.store.query(LIST, [partnerId, ...after]), page);
  }

  /** Number of a partner's endpoints that are subscribed to an event type. */
  countSubscribed(partnerId: string, type: EventType): Promise<number> {
    const subscribed = { partnerId, active: true, events: ArrayContains([type]) };
    return this.store.repository(Endpoint).countBy(subscribed);
  }

  /** Locks the endpoint's row until the caller's transaction ends, so that it is not changed and no send starts. @throws DomainError `not_found` */
  lock(partnerId: string, id: string): Promise<Endpoint> {
    return this.get(partnerId, id, { lock: { mode: 'for_no_key_update' } });
  }

  /** @throws DomainError `not_found`, also for another partner's endpoint */
  async get(partnerId: string, id: string, lock: FindOneOptions<Endpoint> = {}): Promise<Endpoint> {
    const endpoint = isId('webhook', id)
      ? await this.store.repository(Endpoint).findOne({ where: { id, partnerId }, ...lock })
      : null;
    if (!endpoint) throw notFound('webhook');
    return endpoint;
  }

  /** Changes the given fields; a new URL has passed the check. @throws DomainError `not_found` */
  async update(partnerId: string, id: string, change: Partial<EndpointFields>): Promise<EndpointWithHealth> {
    return this.change(partnerId, id, ({ events, ...others }) => {
      // The order of event types means nothing.
      const { events: newEvents = events, ...fields } = change;
      const isSame = newEvents.length === events.length && newEvents.every((type) => events.includes(type));
      return isSame && !differs(others, fields) ? null : change;
    });
  }

  /**
   * Rotates the signing secret. The old one signs alongside the new one for the given seconds; with 0, only the new one signs, even during a rotation.
   * @throws DomainError `not_found`, `rotation_in_progress`
   */
  async rotate(partnerId: string, id: string, previousExpiresInSeconds: number): Promise<CreatedEndpoint> {
    const secret = newSigningSecret();
    const endpoint = await this.change(partnerId, id, ({ secretSealed, previousExpiresAt: until }) => {
      const now = this.clock.wall();
      if (previousExpiresInSeconds > 0 && until !== null && until > now) throw rotating(until);
      const expiresAt = new Date(now.getTime() + previousExpiresInSeconds * 1000);
      return {
        secretSealed: this.cipher.encrypt(secret, id),
        secretMasked: maskSigningSecret(secret),
        previousSealed: previousExpiresInSeconds > 0 ? secretSealed : null,
        previousExpiresAt: previousExpiresInSeconds > 0 ? expiresAt : null,
      };
    });
    return { endpoint, secret };
  }

  /** Erases previous secrets that have expired. Until it has run, `secretsOf` ignores them. @returns how many */
  eraseExpired(): Promise<number> {
    return this.store.change(ERASE_EXPIRED, []);
  }

  /** @param changeOf null: nothing changes */
  private async change(
    partnerId: string,
    id: string,
    changeOf: (endpoint: Endpoint) => Partial<Endpoint> | null,
  ): Promise<EndpointWithHealth> {
    return this.store.transaction(async () => {
      const endpoint = await this.lock(partnerId, id);
      const change = changeOf(endpoint);
      const changed: Endpoint = { ...endpoint, ...change, ...(change && { updatedAt: this.clock.now() }) };
      if (change) await this.store.repository(Endpoint).update({ id }, changed);
      const health = await this.store.repository(EndpointHealth).findOneByOrFail({ webhookId: id });
      return { ...changed, ...health };
    });
  }

  /** Deletes an endpoint. Its deliveries stay in the log; queued ones are never sent. @throws DomainError `not_found` */
  async remove(partnerId: string, id: string): Promise<void> {
    const { affected } = isId('webhook', id)
      ? await this.store.repository(Endpoint).delete({ id, partnerId })
      : { affected: 0 };
    if (affected !== 1) throw notFound('webhook');
  }

  /** Signing secret in full, and the previous one while it is valid. @param now wall time */
  secretsOf(
    { id, secretSealed, previousSealed, previousExpiresAt }: SealedSecrets & { id: string },
    now: Date,
  ): { secret: string; previous?: string } {
    const open = (sealed: Buffer): string => this.cipher.decrypt(sealed, id).toString();
    const both = previousSealed !== null && previousExpiresAt !== null && previousExpiresAt > now;
    return { secret: open(secretSealed), ...(both && { previous: open(previousSealed) }) };
  }

  private async requireRoom(partnerId: string): Promise<void> {
    await this.store.query(LOCK_PARTNER, [partnerId]);
    const limit = this.settings.constants.webhooks.endpointsPerPartner;
    if ((await this.store.repository(Endpoint).countBy({ partnerId })) >= limit) {
      throw new DomainError(
        'webhook_limit_reached',
        `A partner has at most ${limit} webhooks. Delete one that you no longer need.`,
      );
    }
  }
}

const rotating = (until: Date): DomainError =>
  new DomainError(
    'rotation_in_progress',
    `The secret of this webhook is being replaced: until ${until.toISOString()} sends are signed with the previous one as well. ` +
      'Wait until then, or send previous_expires_in 0, which revokes every secret but the new one at once.',
  );
