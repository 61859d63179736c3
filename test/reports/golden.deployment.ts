import type { Contract } from '../../src/config/deployments.js';
import type { Settings } from '../../src/config/settings.js';
import { Clock, HOUR_MS } from '../../src/domain/kernel/clock.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { BASE_MARKET, MarketPlan } from '../../src/domain/markets/hours/market-view.js';
import { DepositService } from '../../src/domain/routing/transfers/deposit.service.js';
import { WithdrawalService } from '../../src/domain/routing/transfers/withdrawal.service.js';
import { isIdle, type Vault } from '../../src/domain/kernel/catalogue/catalogue.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import { answerOf, json, LlamaServer, row } from '../support/llama-server.js';
import { newTxHash } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { vaultOf } from '../support/vault.js';
import {
  type AssetName,
  BEGINNING,
  END,
  ENTRY_OR_EXIT,
  type HistoryEvent,
  HISTORY,
  type PositionName,
  TVL,
  type UserName,
  VAULTS,
  type VaultName,
  yieldAt,
} from './golden.history.js';
import { change } from '../support/change.js';

const NAMES = Object.keys(VAULTS) as VaultName[];
export const vaultId = (name: VaultName): string => `vlt_${name}`;
const poolOf = (name: VaultName): string => `00000000-0000-4000-8000-00000000000${NAMES.indexOf(name)}`;

/** A moment of the history. @param hours since its beginning */
export const momentOf = (hours: number): Date => new Date(BEGINNING.getTime() + hours * HOUR_MS);

/**
 * A deployment of either contract in which the history takes place: its vaults follow the feed of the history, all partners share a
 * market, and its clock is the history's. A partner deployment is so anyway, but for its catalogue.
 */
export class GoldenDeployment {
  readonly users = {} as Record<UserName, string>;
  readonly positions = {} as Record<PositionName, string>;
  campaignId = '';
  private hours = -1;

  private constructor(
    readonly app: TestApp,
    readonly partner: TestPartner,
    private readonly contract: Contract,
    private readonly feed: LlamaServer,
  ) {}

  static async start(contract: Contract): Promise<GoldenDeployment> {
    const feed = await LlamaServer.open();
    // Before the beginning nothing is heard.
    feed.pools = json(answerOf([]));
    // The deployment ticks as it starts: its first hour is the one before the history.
    const { now } = Clock.prototype as { now: (this: Clock) => Date };
    Clock.prototype.now = () => momentOf(-1);
    const app = await startFreshApp(
      contract,
      { DEFILLAMA_BASE_URL: feed.url, SETTLEMENT: 'instant' },
      (_, settings) => {
        settings.vaults = catalogueOf(settings);
        change(settings.constants.routing, ROUTING);
        settings.constants.signals.expectedDays = EXPECTED_DAYS;
        settings.constants.signals.longHalfLifeHours = LONG_HALF_LIFE_HOURS;
      },
    ).finally(() => (Clock.prototype.now = now));
    app.application.get(Clock).now = () => momentOf(-1);
    change(app.application.get(MarketPlan), { marketOf: () => BASE_MARKET, ownerOf: () => null });
    const deployment = new GoldenDeployment(app, await createPartner(app.admin), contract, feed);
    app.application.get(Clock).now = () => momentOf(deployment.hours);
    for (const name of ['Ada', 'Ben', 'Cyd'] as const) {
      const { body } = await deployment.partner.api.post('/users', { external_id: `golden:${name}` });
      deployment.users[name] = body.data.id;
    }
    return deployment;
  }

  async close(): Promise<void> {
    await this.app.close();
    this.feed.close();
  }

  /** The deployment's asset of that name. */
  asset(name: AssetName): string {
    return this.app.settings.constants.assets[name === 'first' ? 0 : 1]!;
  }

  /** Lets the whole history happen, hour by hour. */
  async live(): Promise<void> {
    const cycle = this.app.application.get(HourlyCycle);
    for (let hour = 0; hour <= END; hour++) {
      this.hours = hour;
      this.feed.pools = json(answerOf(NAMES.map((name) => poolRow(name, hour))));
      await cycle.run();
      for (const happening of HISTORY.filter(({ at }) => Math.floor(at) === hour)) {
        this.hours = happening.at;
        await this.happen(happening);
      }
    }
    this.hours = END;
  }

  /** Every hour as it comes, up to a moment. */
  async liveTo(moment: number): Promise<void> {
    const cycle = this.app.application.get(HourlyCycle);
    for (let hour = Math.floor(this.hours) + 1; hour <= moment; hour++) {
      this.hours = hour;
      await cycle.run();
    }
    this.hours = moment;
  }

  /** A vault of the catalogue, to be changed while all goes on. */
  vault(name: VaultName): Vault {
    return this.app.settings.vaults.find(({ id }) => id === vaultId(name))!;
  }

  /** What the partner reads. @throws Error for anything but a 200 */
  async read(path: string): Promise<any> {
    const { status, text, body } = await this.partner.api.get(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return body.data;
  }

  private async happen(happening: HistoryEvent): Promise<void> {
    const { application } = this.app;
    const { partner } = this;
    const campaigns = `/partners/${partner.id}/campaigns`;
    switch (happening.does) {
      case 'deposit': {
        const { user, asset, amount, position } = happening;
        const userId = this.users[user];
        const deposit = { userId, asset: this.asset(asset), amount, txHash: this.txHash() };
        const opened = await application.get(DepositService).deposit({ ...deposit, partnerId: partner.id });
        this.positions[position] = opened.id;
        break;
      }
      case 'withdraw': {
        const { position, amount } = happening;
        const withdrawal = { positionId: this.positions[position], amount, txHash: this.txHash() };
        await application.get(WithdrawalService).withdraw({ ...withdrawal, partnerId: partner.id });
        break;
      }
      case 'start campaign': {
        const campaign = { name: 'Spring', points_multiplier: happening.multiplier };
        this.campaignId = await this.administrate('POST', campaigns, campaign);
        break;
      }
      case 'change campaign': {
        const change = { points_multiplier: happening.multiplier };
        await this.administrate('PATCH', `${campaigns}/${this.campaignId}`, change);
        break;
      }
      case 'disable campaign':
        await this.administrate('PATCH', `${campaigns}/${this.campaignId}`, { status: 'disabled' });
        break;
      case 'share revenue':
        await this.administrate('PATCH', `/partners/${partner.id}`, { revenue_share_bps: happening.bps });
    }
  }

  /** @returns the id of what it was done to */
  private async administrate(method: string, path: string, body: object): Promise<string> {
    const answer = await this.app.admin.send(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body.data.id;
  }

  /** Nothing settles in the sandbox. */
  txHash(): string | null {
    return this.contract === 'partner' ? newTxHash() : null;
  }
}

/** Horizon of the forecasts in `golden.figures.ts`. */
const EXPECTED_DAYS = 20;
const LONG_HALF_LIFE_HOURS = 720;

/** The one move of the table is where a whole point pays its cost back within ten days. */
const ROUTING = {
  minDelta: 0.01,
  horizonDays: 10,
  lastingHorizonDays: 10,
  minGainMultiple: 1,
  minPromiseMultiple: 0,
  minNetGain: 0n,
  maxVaultExposure: { low: 1, medium: 1, high: 1 },
  maxTierExposure: { low: 1, medium: 1, high: 1 },
};

const catalogueOf = ({ constants, vaults }: Settings): Vault[] => [
  ...NAMES.map((name): Vault => {
    const { asset, lending, riskTier } = VAULTS[name];
    return vaultOf({
      id: vaultId(name),
      name,
      venue: name,
      asset: constants.assets[asset === 'first' ? 0 : 1]!,
      entryCost: ENTRY_OR_EXIT[asset],
      exitCost: ENTRY_OR_EXIT[asset],
      riskTier,
      lendingBaseline: lending,
      feed: { kind: 'defillama', pool: poolOf(name), apr: false, tvl: 'liquidity' },
    });
  }),
  ...vaults.filter(isIdle),
];

/** As the feed reports a vault: per cent a year. */
function poolRow(name: VaultName, hour: number): Record<string, unknown> {
  const percent = yieldAt(name, hour);
  return row({ pool: poolOf(name), apyBase: percent, apy: percent, tvlUsd: Number(TVL) / 1e6 });
}
