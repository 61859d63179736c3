import { EVENT_TYPES } from '../../domain/outbound/webhooks/event-type.js';
import type { ListedParts } from '../../http/openapi/extensions.js';
import { pascalCase } from '../../http/openapi/schema.js';

const API_KEY = [
  ...['id', 'object', 'label', 'prefix', 'environment', 'created_at', 'last_used_at', 'revoked', 'scopes'],
  ...['partner_id', 'secret'],
];
const WEBHOOK = ['id', 'object', 'partner_id', 'url', 'events', 'secret', 'active', 'created_at'];
const NEW_WEBHOOK = ['url', 'events'];
const DELIVERY = [
  ...['id', 'object', 'webhook_id', 'partner_id', 'url', 'event', 'payload', 'signature', 'status'],
  ...['attempts', 'at', 'latency_ms'],
];
const DELETED = ['id', 'deleted'];
const EVENT = ['id', 'type', 'created_at', 'data'];
const STATE = ['id', 'status'];
const SIGNAL = ['volatility', 'trend', 'insufficient_history'];

/**
 * Parameters and fields that one of the two contract documents lists; everything else is marked as an extension. An input of which a document says that
 * it has further fields may have each field of its record.
 */
export const LISTED_PARTS: ListedParts = {
  page: ['limit', 'cursor'],
  parameters: {
    'GET /partners': ['status'],
    'GET /partners/{id}/campaigns': ['status'],
    'GET /analytics/signals': ['asset'],
    'GET /analytics/regime': ['asset'],
    'GET /analytics/uplift': ['asset', 'user_id', 'position_id'],
    'GET /analytics/decisions': ['asset', 'user_id', 'position_id'],
    'POST /webhooks': ['Idempotency-Key'],
    'GET /webhooks/deliveries': ['webhook_id'],
    'GET /webhooks/events': ['webhook_id'],
  },
  fields: {
    ApiKey: API_KEY,
    CreateKeyInputDto: API_KEY,
    RevokedApiKey: ['id', 'revoked'],
    Partner: STATE,
    UpdatePartnerInputDto: STATE,
    PartnerCreated: ['partner', 'api_key'],
    Campaign: STATE,
    UpdateCampaignInputDto: STATE,
    UserRecord: [
      ...['id', 'object', 'external_id', 'label', 'email', 'metadata', 'wallets', 'status', 'created_at'],
      'updated_at',
    ],
    CreateUserInputDto: ['external_id', 'label', 'wallets'],
    UserLedgerEvent: [
      ...[
        'id',
        'object',
        'user_id',
        'position_id',
        'asset',
        'type',
        'amount',
        'apy',
        'vault_id',
        'note',
        'at',
      ],
    ],
    SignalDto: SIGNAL,
    Signal: SIGNAL,
    RegimeDto: ['regime'],
    Regime: ['regime'],
    WebhookEndpoint: WEBHOOK,
    Webhook: WEBHOOK,
    CreateWebhookInputDto: NEW_WEBHOOK,
    CreateWebhookRequest: NEW_WEBHOOK,
    UpdateWebhookInputDto: WEBHOOK,
    WebhookDelivery: DELIVERY,
    Delivery: DELIVERY,
    WebhookEventTypes: ['object', 'events'],
    DeletedResource: DELETED,
    DeletedWebhook: DELETED,
    EventEnvelope: EVENT,
    ...Object.fromEntries(EVENT_TYPES.map((type) => [`${pascalCase(type)}Event`, EVENT])),
    SystemStatus: ['message', 'requested_at'],
    ListMeta: ['next_cursor'],
    ErrorEnvelope: ['error', 'code', 'message', 'request_id'],
  },
};
