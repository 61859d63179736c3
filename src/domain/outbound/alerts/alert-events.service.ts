import { Injectable } from '@nestjs/common';
import { DEPLOYMENT } from '../../kernel/deployment/replicas.js';
import { EventService } from '../webhooks/event.service.js';
import { type Alert, alertData } from './alert.js';

export interface AddressedAlert {
  alert: Alert;
  partnerIds: readonly string[];
}

/** Alerts as events: one for each fact and recipient. */
@Injectable()
export class AlertEvents {
  constructor(private readonly events: EventService) {}

  /** Notifies the given partners only, in the transaction that records the fact. @param at by the recipient's clock */
  async notifyPartners(addressed: readonly AddressedAlert[], at: Date): Promise<void> {
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

  /** Notifies the given partners, and the administrators of each alert. As `notifyPartners`. */
  async notifyAll(addressed: readonly AddressedAlert[], at: Date): Promise<void> {
    await this.notifyPartners(addressed, at);
    await this.notifyAdministrators(
      addressed.map(({ alert }) => alert),
      at,
    );
  }

  /** Notifies the administrators. Without a receiver the alerts are listed all the same. */
  async notifyAdministrators(alerts: readonly Alert[], at: Date): Promise<void> {
    await this.notifyPartners(
      alerts.map((alert) => ({ alert, partnerIds: [DEPLOYMENT] })),
      at,
    );
  }
}
