import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { ConfigError } from '../../../config/config-error.js';
import { type DeploymentIdentity, deploymentIdentity } from '../../../config/deployment-identity.js';
import { Settings } from '../../../config/settings.js';
import { nothing, text, bool, listOf } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { BASE_MARKET } from '../../markets/hours/market-view.js';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';

const FIND_USED = statement(
  'positions.find_used_vaults',
  { values: [], row: { vaultId: text(), asset: text() } },
  `SELECT DISTINCT vault_id AS "vaultId", asset FROM book_shares WHERE shares <> 0 ORDER BY vault_id`,
);

/** Vaults of a market whose kind of observation has changed: $2 are simulated now, $3 have a feed. */
const FIND_CHANGED = statement(
  'positions.find_changed_sources',
  { values: [text(), listOf(text()), listOf(text())], row: { vaultId: text(), simulated: bool() } },
  `SELECT vault_id AS "vaultId", simulated IS NOT NULL AS simulated FROM vault_states
    WHERE market_id = $1 AND observed_hour IS NOT NULL AND vault_id = ANY(CASE WHEN simulated IS NULL THEN $2::text[] ELSE $3::text[] END)
    ORDER BY vault_id`,
);

/** Transaction lock on the identity: of processes that start together, only one records it. */
const LOCK_IDENTITY = statement(
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
 * Check of the settings that all processes of a deployment must share, against those recorded in its schema. A different value stops the start, unless an
 * operator has accepted it; a new name, such as that of a new vault, is added. Removed names stay recorded, so that an id is not reused for another
 * vault.
 */
@Injectable()
export class IdentityCheck {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly settings: Settings,
  ) {}

  /**
   * Checks the catalogue against stored data, and the settings against those of the other processes; to be called before anything is written.
   * @throws ConfigError with both values of each setting that differs
   */
  async compare(): Promise<DeploymentIdentity> {
    await this.checkCatalogue();
    const recorded = await this.recorded();
    const changes = this.changesFrom(recorded);
    if (changes.length === 0) return recorded;
    const { databaseSchema: schema } = this.settings;
    throw new ConfigError([
      ...changes.map(
        ({ name, own, recorded: other }) =>
          `${name} is ${JSON.stringify(own)}, but ${JSON.stringify(other)} in the schema "${schema}".`,
      ),
      'All processes of a deployment must share these: start with the values of the schema. To change them, stop all of its processes and run ' +
        '`vaultline deployment change` with the new values, or use another database (with npm start: another DATA_DIR).',
    ]);
  }

  /** Checks the settings, and records new ones. */
  async run(): Promise<void> {
    await this.store.transaction(async () => {
      await this.store.query(LOCK_IDENTITY, []);
      const recorded = await this.compare();
      const identity = deploymentIdentity(this.settings);
      if (Object.keys(identity).some((name) => !Object.hasOwn(recorded, name)))
        await this.record({ ...recorded, ...identity }, 'start');
    });
  }

  /**
   * Adopts this process's settings.
   * @param audited runs the change, and records it in the audit log
   * @returns what changed; when empty, nothing was recorded
   * @throws ConfigError when stored data do not permit it
   */
  async change(reason: string, audited: (change: () => Promise<void>) => Promise<void>) {
    return this.store.transaction(async () => {
      await this.store.query(LOCK_IDENTITY, []);
      await this.checkCatalogue();
      const recorded = await this.recorded();
      const changes = this.changesFrom(recorded);
      if (changes.length > 0)
        await audited(() => this.record({ ...recorded, ...deploymentIdentity(this.settings) }, reason));
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

  /**
   * Checks the catalogue against stored data. Positions are valued by the indexes of their vaults and baselines, so a vault missing from the catalogue
   * would leave them without one. An index is also one continuous series: a vault that was simulated for a while would show yield that nobody earned,
   * for ever.
   */
  private async checkCatalogue(): Promise<void> {
    const assets = new Map(this.catalogue.vaults.map(({ id, asset }) => [id, asset]));
    const used = await this.store.query(FIND_USED, []);
    const problems = used.flatMap(({ vaultId, asset }) => {
      const listed = assets.get(vaultId);
      if (listed === asset) return [];
      return listed === undefined
        ? `vaults: ${vaultId} is missing, but positions are valued by it; list it again, with active: false to stop using it.`
        : `vaults: ${vaultId} has the asset ${listed}, but holds positions of ${asset}; restore its asset, and give the vault of ${listed} a new id.`;
    });
    problems.push(...(await this.changedSources()));
    if (problems.length > 0) throw new ConfigError(problems);
  }

  private async changedSources(): Promise<string[]> {
    const [simulated = [], observed = []] = [true, false].map((is) =>
      this.catalogue.vaults
        .filter((vault) => !isIdle(vault) && (vault.feed.kind === 'simulated') === is)
        .map(({ id }) => id),
    );
    const changed = await this.store.query(FIND_CHANGED, [BASE_MARKET, simulated, observed]);
    if (changed.length === 0) return [];
    const [before, now] = changed[0]!.simulated ? ['simulated', 'live'] : ['live', 'simulated'];
    return [
      `YIELDS is ${now}, but this database holds ${before} yields of ${changed.length} vaults (${changed[0]!.vaultId} first), and the two cannot be mixed. ` +
        `Set YIELDS=${before}, or use another database (with npm start: another DATA_DIR).`,
    ];
  }
}
