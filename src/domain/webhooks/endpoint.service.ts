import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { DomainError, notFound } from '../domain-error.js';
import { isId, newId } from '../identifier.js';
import { Cipher } from '../store/cipher.js';
import { bool, bytes, columnsOf, integer, listOf, moment, orNull, text, time } from '../store/column.js';
import { newestFirst, type Page, type PageRequest } from '../store/page.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';
import { Endpoint } from './endpoint.entity.js';
import { EVENT_TYPES, type EventType } from './event-type.js';
import { maskSigningSecret, newSigningSecret } from './signature.js';
import { UrlGuard } from './url-guard.js';

export interface NewEndpoint {
  url: string;
  /** Default: the whole catalogue. */
  events?: EventType[];
  description?: string | null;
  /** Default true. */
  active?: boolean;
}

/** An endpoint with its full signing secret, shown once. */
export interface CreatedEndpoint {
  endpoint: Endpoint;
  secret: string;
}

/** Serialises registrations of one partner, so that two at once cannot both be the last that fits. */
const LOCK_PARTNER = statement(
  'webhooks.lock_partner',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM partners WHERE id = $1 FOR NO KEY UPDATE`,
);

/** Active ones of a partner that get events of a type. */
const COUNT_SUBSCRIBED = statement(
  'webhooks.count_subscribed',
  { values: [text(), text<EventType>()], row: { number: integer() } },
  `SELECT count(*)::int AS number FROM webhook_endpoints WHERE partner_id = $1 AND active AND $2 = ANY (events)`,
);

const SENT_TO = { id: text(), url: text(), secretSealed: bytes() };

const ENDPOINT = {
  ...SENT_TO,
  partnerId: text(),
  events: listOf(text<EventType>()),
  description: orNull(text()),
  secretMasked: text(),
  active: bool(),
  createdAt: time(),
  updatedAt: time(),
};

/** $1 partner, $2/$3 time and id to go on after, $4 rows. */
const LIST = statement(
  'webhooks.list_endpoints',
  { values: [text(), moment(), text(), integer()], row: ENDPOINT },
  `SELECT ${columnsOf(ENDPOINT)} FROM webhook_endpoints
    WHERE partner_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4::int`,
);

/** Whoever counts an endpoint's sends in flight under this lock counts all of them. */
const LOCK_ENDPOINT = statement(
  'webhooks.lock_endpoint',
  { values: [text(), text()], row: SENT_TO },
  `SELECT ${columnsOf(SENT_TO)} FROM webhook_endpoints WHERE id = $1 AND partner_id = $2 FOR NO KEY UPDATE`,
);

@Injectable()
export class EndpointService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly cipher: Cipher,
    private readonly guard: UrlGuard,
  ) {}

  /**
   * Checks a receiver's address as registration does; resolves its name, so it runs before a transaction is opened.
   *
   * @throws DomainError `webhook_url_forbidden`
   */
  async checkUrl(url: string): Promise<void> {
    await this.guard.check(url, 'register');
  }

  /** Registers an endpoint whose URL was checked. @throws DomainError `webhook_limit_reached` */
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
        secretMasked: maskSigningSecret(secret),
        active: input.active ?? true,
        createdAt: now,
        updatedAt: now,
      };
      await this.store.records(Endpoint, (endpoints) => endpoints.insert(endpoint));
      return { endpoint, secret };
    });
  }

  /** Newest first. */
  async list(partnerId: string, page: PageRequest): Promise<Page<Endpoint>> {
    return newestFirst((...after) => this.store.query(LIST, [partnerId, ...after]), page);
  }

  /** @throws DomainError `not_found`, also for another partner's */
  async get(partnerId: string, id: string): Promise<Endpoint> {
    const endpoint = isId('webhook', id)
      ? await this.store.records(Endpoint, (endpoints) => endpoints.findOneBy({ id, partnerId }))
      : null;
    if (!endpoint) throw notFound('webhook');
    return endpoint;
  }

  /** How many of a partner's endpoints get an event of a type. */
  async countSubscribed(partnerId: string, type: EventType): Promise<number> {
    const [row] = await this.store.query(COUNT_SUBSCRIBED, [partnerId, type]);
    return row!.number;
  }

  /** Nobody else changes it, or begins to send to it, before the caller's transaction ends. @throws DomainError `not_found` */
  async lock(partnerId: string, id: string): Promise<Pick<Endpoint, 'id' | 'url' | 'secretSealed'>> {
    const [endpoint] = isId('webhook', id) ? await this.store.query(LOCK_ENDPOINT, [id, partnerId]) : [];
    if (!endpoint) throw notFound('webhook');
    return endpoint;
  }

  /** Changes what is given; a new URL was checked. @throws DomainError `not_found` */
  async update(partnerId: string, id: string, change: Partial<NewEndpoint>): Promise<Endpoint> {
    if (!isId('webhook', id)) throw notFound('webhook');
    return this.store.transaction(async () => {
      const endpoint = await this.store.records(Endpoint, (endpoints) =>
        endpoints.findOne({ where: { id, partnerId }, lock: { mode: 'for_no_key_update' } }),
      );
      if (!endpoint) throw notFound('webhook');
      const changed: Endpoint = { ...endpoint, ...change, updatedAt: this.clock.now() };
      await this.store.records(Endpoint, (endpoints) => endpoints.update({ id }, changed));
      return changed;
    });
  }

  /** Removes an endpoint. Its deliveries stay in the log; what is queued for it is never sent. @throws DomainError `not_found` */
  async remove(partnerId: string, id: string): Promise<void> {
    const { affected } = isId('webhook', id)
      ? await this.store.records(Endpoint, (endpoints) => endpoints.delete({ id, partnerId }))
      : { affected: 0 };
    if (affected !== 1) throw notFound('webhook');
  }

  /** The signing secret in full, for signing. */
  secretOf({ id, secretSealed }: Pick<Endpoint, 'id' | 'secretSealed'>): string {
    return this.cipher.decrypt(secretSealed, id).toString();
  }

  private async requireRoom(partnerId: string): Promise<void> {
    await this.store.query(LOCK_PARTNER, [partnerId]);
    const limit = this.settings.constants.webhooks.endpoints_per_partner;
    if ((await this.store.records(Endpoint, (endpoints) => endpoints.countBy({ partnerId }))) >= limit) {
      throw new DomainError(
        'webhook_limit_reached',
        `A partner has at most ${limit} webhooks. Delete one that you no longer need.`,
      );
    }
  }
}
