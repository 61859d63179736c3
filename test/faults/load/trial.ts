import { audit, type Ends } from './audit.js';
import { Deployment, type DeploymentOptions } from './deployment.js';
import { Hooks } from './hooks.js';
import { Load, type LoadOptions } from './load.js';
import { Random } from './random.js';
import { SEED } from './runs.js';

/** Retries of writes that were made, after all is over. */
const REPLAYS = 20;

/** A deployment, its receivers, and the loads that it is put under; and what has to hold of it afterwards. */
export class Trial {
  readonly loads: Load[] = [];

  private constructor(
    private readonly databaseUrl: string,
    readonly deployment: Deployment,
    readonly hooks: Hooks,
  ) {}

  /** @param options seed: default: that of the run */
  static async start(options: Omit<DeploymentOptions, 'seed'> & { seed?: number }): Promise<Trial> {
    const seed = options.seed ?? SEED;
    const deployment = await Deployment.start({ ...options, seed });
    const hooks = await Hooks.open(new Random(seed));
    return new Trial(options.database.url, deployment, hooks);
  }

  /** One more, ready to start. */
  async load(options: Omit<LoadOptions, 'urls' | 'adminKey' | 'hooks'>): Promise<Load> {
    const { urls, adminKey } = this.deployment;
    const load = await Load.prepare({ urls, adminKey, hooks: this.hooks, ...options });
    this.loads.push(load);
    return load;
  }

  /** Lets a load that was stopped come to its end, repeats writes of it, and audits all. @returns a sentence for each rule that is broken */
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
