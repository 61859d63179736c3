import { audit, type Ends } from './audit.js';
import { Deployment, type DeploymentOptions } from './deployment.js';
import { Hooks } from './hooks.js';
import { Load, type LoadOptions } from './load.js';
import { Random } from './random.js';
import { SEED } from './runs.js';

/** Acknowledged writes that are repeated at the end. */
const REPLAYS = 20;

/** A deployment, its receivers, and the loads on it, with the audit at the end. */
export class Trial {
  readonly loads: Load[] = [];

  private constructor(
    private readonly databaseUrl: string,
    readonly deployment: Deployment,
    readonly hooks: Hooks,
  ) {}

  /** @param options seed: default: the seed of the run */
  static async start(options: Omit<DeploymentOptions, 'seed'> & { seed?: number }): Promise<Trial> {
    const seed = options.seed ?? SEED;
    const deployment = await Deployment.start({ ...options, seed });
    const hooks = await Hooks.open(new Random(seed));
    return new Trial(options.database.url, deployment, hooks);
  }

  /** A further load, prepared but not started. */
  async load(options: Omit<LoadOptions, 'urls' | 'adminKey' | 'hooks'>): Promise<Load> {
    const { urls, adminKey } = this.deployment;
    const load = await Load.prepare({ urls, adminKey, hooks: this.hooks, ...options });
    this.loads.push(load);
    return load;
  }

  /** Settles a stopped load, repeats some of its writes, and audits the database. @returns a sentence for each rule that is broken */
  async troubles(load: Load, ends?: Ends): Promise<string[]> {
    await load.settle();
    await load.replay(REPLAYS);
    return audit(this.databaseUrl, load, this.hooks, ends);
  }

  async close(): Promise<void> {
    await Promise.all(this.loads.map((load) => load.close()));
    await this.deployment.close();
    await this.hooks.close();
  }
}
