import { Injectable } from '@nestjs/common';
import { DEPLOYMENT } from '../../kernel/deployment/replicas.js';
import { text } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { EventService } from '../webhooks/event.service.js';
import { type Alert, alertData } from './alert.js';

const FIND_OWNER = statement(
  'alerts.find_owner',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM partners WHERE id = $1`,
);

export interface Addressed {
  alert: Alert;
  partnerIds: readonly string[];
}

/** Alerts as events: one for each fact and recipient. */
@Injectable()
export class AlertEvents {
  constructor(
    private readonly store: Store,
    private readonly events: EventService,
  ) {}

  /** Notifies the given partners only, in the transaction that records the fact. @param at by the recipient's clock */
  async notifyPartners(addressed: readonly Addressed[], at: Date): Promise<void> {
    await this.events.raise(
      addressed.flatMap(({ alert, partnerIds }) =>
        partnerIds.map((partnerId) => ({
          type: 'system.status' as const,
          partnerId,
          data: alertData(alert, at),
          at,
        })),
      ),
    );
  }

  /** Notifies the administrators; without effect until one has registered an endpoint. */
  async notifyAdministrators(alerts: readonly Alert[], at: Date): Promise<void> {
    if (alerts.length === 0 || (await this.store.query(FIND_OWNER, [DEPLOYMENT])).length === 0) return;
    await this.notifyPartners(
      alerts.map((alert) => ({ alert, partnerIds: [DEPLOYMENT] })),
      at,
    );
  }
}
