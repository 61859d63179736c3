import { Injectable } from '@nestjs/common';
import { Replicas } from '../domain/kernel/deployment/replicas.js';
import { SecretsCheck } from '../domain/kernel/secrets/secrets-check.js';
import { DeliveryService } from '../domain/outbound/webhooks/delivery.service.js';
import { Authenticator } from '../domain/tenants/access/authenticator.js';

/** Stores a process's heartbeat, and the last uses of keys that it authenticated. */
@Injectable()
export class ProcessRecord {
  constructor(
    private readonly replicas: Replicas,
    private readonly secrets: SecretsCheck,
    private readonly deliveries: DeliveryService,
    private readonly authenticator: Authenticator,
  ) {}

  /** A heartbeat also says which key the process encrypts secrets with. */
  async beat(): Promise<void> {
    await this.secrets.follow();
    await this.replicas.heartbeat(this.deliveries.sends);
  }

  leave(): Promise<void> {
    return this.replicas.leave();
  }

  writeKeyUses(): Promise<void> {
    return this.authenticator.flushLastUsed();
  }
}
