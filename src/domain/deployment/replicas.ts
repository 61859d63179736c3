import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { VERSION } from '../../config/version.js';
import { Store } from '../store/store.js';
import { DeliveryService } from '../webhooks/delivery.service.js';
import * as queries from './deployment.queries.js';

/** Three beats: one that is lost makes nobody disappear. */
const SEEN_SECONDS = 60;
const KEPT_SECONDS = 3_600;
/** More are started in a minute by nothing but a fault. */
const SHOWN = 100;
const NAME_LENGTH = 253;

/** A process of the deployment, as it last said of itself. */
export interface Replica {
  /** Of its machine or container. */
  name: string;
  role: string;
  version: string;
  /** By outcome, since its start. */
  sends: Record<string, number>;
  startedAt: Date;
  seenAt: Date;
}

/** The processes that a deployment is made of: each says every few seconds that it is there (heartbeat), by the database's clock. */
@Injectable()
export class Replicas {
  private readonly id = randomUUID();
  private hasLeft = false;

  constructor(
    private readonly store: Store,
    private readonly deliveries: DeliveryService,
    private readonly settings: Settings,
  ) {}

  /** To be called every 20 seconds. */
  async beat(): Promise<void> {
    if (this.hasLeft) return;
    const name = hostname().slice(0, NAME_LENGTH);
    const { sends } = this.deliveries;
    await this.store.query(queries.BEAT, [
      this.id,
      name,
      this.settings.role,
      VERSION,
      JSON.stringify(sends),
      process.uptime(),
    ]);
    await this.store.query(queries.FORGET_REPLICAS, [KEPT_SECONDS]);
  }

  /** This process ends. */
  async leave(): Promise<void> {
    this.hasLeft = true;
    await this.store.query(queries.LEAVE, [this.id]);
  }

  /** Those that are there, the youngest first. */
  seen(): Promise<Replica[]> {
    return this.store.query(queries.FIND_REPLICAS, [SEEN_SECONDS, SHOWN]);
  }
}
