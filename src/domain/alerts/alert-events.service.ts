import { Injectable } from '@nestjs/common';
import { DEPLOYMENT } from '../deployment.js';
import { Store } from '../store/store.js';
import { EventService } from '../webhooks/event.service.js';
import { type Alert, alertData } from './alert.js';
import { FIND_OWNER } from './alert.queries.js';

/** An alert, and the partners that it concerns. */
export interface Addressed {
  alert: Alert;
  partnerIds: readonly string[];
}

/** Alerts as events: one a fact and whom it is told to. */
@Injectable()
export class AlertEvents {
  constructor(
    private readonly store: Store,
    private readonly events: EventService,
  ) {}

  /** Tells partners, and nobody else. In the transaction of the fact, like the other one. @param at by the clock of whom it is told to */
  async tellPartners(addressed: readonly Addressed[], at: Date): Promise<void> {
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

  /** Tells the administrators; nobody, where none ever registered an endpoint. */
  async tellAdministrators(alerts: readonly Alert[], at: Date): Promise<void> {
    if (alerts.length === 0 || (await this.store.query(FIND_OWNER, [DEPLOYMENT])).length === 0) return;
    await this.tellPartners(
      alerts.map((alert) => ({ alert, partnerIds: [DEPLOYMENT] })),
      at,
    );
  }
}
