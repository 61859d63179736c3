import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { ConfigError } from '../../../config/config-error.js';
import { type DeploymentIdentity, deploymentIdentity } from '../../../config/deployments.js';
import { Settings } from '../../../config/settings.js';
import { CatalogueCheck } from '../../books/positions/catalogue-check.js';
import { double, integer, nothing, orNull, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';

/** The queue's tables are in another schema; the function knows its name. */
export const WAITING_JOBS = statement(
  'deployment.waiting_jobs',
  { values: [], row: { task: text(), waiting: integer(), oldestSeconds: double() } },
  `SELECT task, waiting, oldest_seconds AS "oldestSeconds" FROM waiting_jobs()`,
);

/**
 * Number of queued deliveries, up to $1, and the age of the oldest: 0 and null without any. The oldest of each endpoint is the first of its index
 * range, so the cost is bounded by the number of endpoints and $1, not by the backlog (loose index scan).
 */
export const QUEUED_DELIVERIES = statement(
  'deployment.queued_deliveries',
  { values: [rowCount()], row: { queued: integer(), oldest: orNull(time()) } },
  `WITH RECURSIVE heads AS (
     (SELECT webhook_id, at FROM deliveries WHERE status = 'queued' ORDER BY webhook_id, at LIMIT 1)
     UNION ALL
     SELECT next.* FROM heads CROSS JOIN LATERAL (
       SELECT d.webhook_id, d.at FROM deliveries d
        WHERE d.status = 'queued' AND d.webhook_id > heads.webhook_id ORDER BY d.webhook_id, d.at LIMIT 1) AS next
   )
   SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE status = 'queued' LIMIT $1) AS counted) AS queued, min(at) AS oldest
     FROM heads`,
);

/** Lock of the transaction on the identity: of processes that start together, one records it. */
export const LOCK_IDENTITY = statement(
  'deployment.lock_identity',
  { values: [], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('identity of ' || current_schema(), 0))`,
);

/** Change of the settings that all processes share; the newest is in force. */
@Entity('deployment_changes')
export class DeploymentChange {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' }) number: number;
  @Column('jsonb') identity: DeploymentIdentity;
  @Column('text') reason: string;
}

/**
 * Check of the settings that all processes of a deployment must share, against those recorded in its schema. Another value stops the start, unless an
 * operator took it over; a new name, such as that of a new vault, is added. Names that are gone stay recorded, so that an id is not used again for
 * another vault.
 */
@Injectable()
export class IdentityCheck {
  constructor(
    private readonly store: Store,
    private readonly catalogue: CatalogueCheck,
    private readonly settings: Settings,
  ) {}

  /**
   * Checks the catalogue against stored data, and the settings against those of the other processes; to be called before anything is written.
   * @throws ConfigError with both values of each setting that differs
   */
  async compare(): Promise<DeploymentIdentity> {
    await this.catalogue.run();
    const recorded = await this.recorded();
    const changes = this.changesFrom(recorded);
    if (changes.length === 0) return recorded;
    const { schema } = this.settings.database;
    throw new ConfigError([
      ...changes.map(
        ({ name, own, recorded: other }) =>
          `${name} is ${JSON.stringify(own)}, and ${JSON.stringify(other)} in the schema "${schema}".`,
      ),
      'All processes of a deployment share these: start with the values of the schema. To change them, stop all of its processes, and run ' +
        '`vaultline deployment change` with the new values; or take another database (with npm start: another DATA_DIR).',
    ]);
  }

  /** The same, and records settings that are new; of processes that start together, one does it. */
  async run(): Promise<void> {
    await this.store.transaction(async () => {
      await this.store.query(LOCK_IDENTITY, []);
      const recorded = await this.compare();
      const own = deploymentIdentity(this.settings);
      if (Object.keys(own).some((name) => !Object.hasOwn(recorded, name)))
        await this.record({ ...recorded, ...own }, 'start');
    });
  }

  /**
   * Takes over this process's settings.
   * @returns what changed; empty: nothing did, and nothing was recorded
   * @throws ConfigError when stored data do not permit it
   */
  async change(reason: string) {
    return this.store.transaction(async () => {
      await this.store.query(LOCK_IDENTITY, []);
      await this.catalogue.run();
      const recorded = await this.recorded();
      const changes = this.changesFrom(recorded);
      if (changes.length > 0)
        await this.record({ ...recorded, ...deploymentIdentity(this.settings) }, reason);
      return changes;
    });
  }

  /** Settings of this process with another value in the schema. */
  private changesFrom(recorded: DeploymentIdentity) {
    return Object.entries(deploymentIdentity(this.settings)).flatMap(([name, own]) => {
      const before = recorded[name];
      return before === undefined || before === own ? [] : [{ name, own, recorded: before }];
    });
  }

  private async recorded(): Promise<DeploymentIdentity> {
    const changes = this.store.repository(DeploymentChange);
    const [newest] = await changes.find({ order: { number: 'DESC' }, take: 1 });
    return newest?.identity ?? {};
  }

  private async record(identity: DeploymentIdentity, reason: string): Promise<void> {
    await this.store.repository(DeploymentChange).insert({ identity, reason });
  }
}
