import { Injectable } from '@nestjs/common';
import type { KnownRegime } from '../markets/signals/regime.js';
import { MarketService } from '../markets/hours/market.service.js';
import { formatAmount, percentInWords, pointsInWords } from '../kernel/money.js';
import { type AssetRegime, InsightService, type RankedSignal, type RegimeReport } from './insight.service.js';
import { type Uplift, UpliftService } from './uplift.service.js';

const OPPORTUNITIES = 3;

const HEADLINES: Record<KnownRegime, string> = {
  rising: 'Yields are rising.',
  falling: 'Yields are falling.',
  stable: 'Yields are stable.',
  volatile: 'Yields are volatile.',
};

const TOO_SHORT = 'There is too little history to say how yields behave.';
const MEANWHILE = 'The behaviour of yields is unknown until the feeds answer.';
const NAMED = 3;

export type Advice = Awaited<ReturnType<AdvisorService['advise']>>;

/** Advice from templates: every figure comes from regime, signals or uplift. */
@Injectable()
export class AdvisorService {
  constructor(
    private readonly insights: InsightService,
    private readonly uplifts: UpliftService,
    private readonly market: MarketService,
  ) {}

  /** `opportunities`: vaults into which routing would let funds, best first; none with insufficient history or a recommendation to reduce. */
  async advise(partnerId: string) {
    const marketId = this.market.marketOf(partnerId);
    const [regime, signals, uplift] = await Promise.all([
      this.insights.regime(marketId),
      this.insights.signals(marketId),
      this.uplifts.read(partnerId, {}),
    ]);
    const opportunities = signals
      .filter(isOpportunity)
      .slice(0, OPPORTUNITIES)
      .map((signal, index) => ({ ...signal, rank: index + 1 }));
    const silent = signals.filter((signal) => signal.silent).map(({ name }) => name);
    return {
      asOf: uplift.asOf,
      headline: headline(regime, silent, opportunities[0]),
      regime,
      opportunities,
      uplift,
      rationale: [
        ...regime.assets.map(regimeInWords),
        ...opportunities.map(signalInWords),
        ...upliftInWords(uplift),
      ],
    };
  }
}

const isOpportunity = ({ eligible, riskAdjustedApy, recommendation }: RankedSignal): boolean =>
  eligible && riskAdjustedApy !== null && recommendation !== 'reduce';

/** @param silent names of vaults whose feeds are down */
function headline(regime: RegimeReport, silent: readonly string[], best: RankedSignal | undefined): string {
  const sentences = [
    ...(silent.length > 0 ? [outageInWords(silent)] : []),
    behaviour(regime),
    ...(best
      ? [`${best.name} has the best expected risk-adjusted APY, ${percentInWords(best.riskAdjustedApy)}.`]
      : []),
  ];
  return sentences.join(' ');
}

function behaviour({ regime, reason }: RegimeReport): string {
  if (regime !== 'unknown') return HEADLINES[regime];
  return reason === 'silent_feed' ? MEANWHILE : TOO_SHORT;
}

function outageInWords(silent: readonly string[]): string {
  if (silent.length === 1) return `Outage: the feed of ${silent[0]} is silent.`;
  const [named, rest] = [silent.slice(0, NAMED), silent.length - NAMED];
  if (rest > 0) return `Outage: the feeds of ${named.join(', ')} and ${rest} more are silent.`;
  return `Outage: the feeds of ${named.slice(0, -1).join(', ')} and ${named.at(-1)} are silent.`;
}

function regimeInWords({ asset, regime, reason, apy, trend }: AssetRegime): string {
  if (reason === 'silent_feed') return `${asset}: the regime is unknown, as the feeds are silent.`;
  if (regime === 'unknown') return `${asset}: the regime is unknown, as there is too little history.`;
  const drift = trend === null ? '' : `, with a trend of ${pointsInWords(trend, 3)} a day`;
  const level = apy === null ? '' : ` at ${percentInWords(apy)}`;
  return `${asset}: the regime is ${regime}${level}${drift}.`;
}

const signalInWords = ({
  rank,
  name,
  asset,
  riskTier,
  riskAdjustedApy,
  apy,
  recommendation,
}: RankedSignal): string =>
  `${rank}. ${name} (${asset}, ${riskTier} risk): ${percentInWords(riskAdjustedApy)} expected after risk, ${percentInWords(apy)} observed last; recommendation: ${recommendation}.`;

function upliftInWords({ positions, lending, hold }: Uplift): string[] {
  if (positions === 0) return ['There are no positions yet, so there is no uplift.'];
  const { realized, projected } = lending;
  const sentences = [
    `Routing of ${positions} position${positions === 1 ? '' : 's'} earned ${formatAmount(realized.uplift)} more than the lending vaults, and ${formatAmount(hold.realized.uplift)} more than holding each position's first vault.`,
  ];
  if (projected.uplift !== null)
    sentences.push(
      `At today's expected APYs, ${percentInWords(projected.routedApy)} against ${percentInWords(projected.baselineApy)}, ${projected.horizonDays} days would add ${formatAmount(projected.uplift)}.`,
    );
  return sentences;
}
