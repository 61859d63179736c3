import { Injectable } from '@nestjs/common';
import type { Regime } from '../analytics/regime.js';
import { MarketService } from '../markets/market.service.js';
import { formatAmount } from '../positions/amount.js';
import { InsightService, type RankedSignal, type RegimeReport } from './insight.service.js';
import { type Uplift, UpliftService } from './uplift.service.js';

/** A summary in words: every figure in it is one that regime, signals or uplift show. */
export interface Advice {
  asOf: Date;
  headline: string;
  regime: RegimeReport;
  /** Up to three that take deposits, best first; none without enough history. */
  opportunities: RankedSignal[];
  uplift: Uplift;
  rationale: string[];
}

const OPPORTUNITIES = 3;

const HEADLINES: Record<Regime, string> = {
  rising: 'Yields are rising.',
  falling: 'Yields are falling.',
  stable: 'Yields are stable.',
  volatile: 'Yields are volatile.',
  unknown: 'There is too little history to say how yields behave.',
};

/** Advice from templates: no sentence says more than the figures in it. */
@Injectable()
export class AdvisorService {
  constructor(
    private readonly insights: InsightService,
    private readonly uplifts: UpliftService,
    private readonly market: MarketService,
  ) {}

  async advise(partnerId: string): Promise<Advice> {
    const marketId = this.market.marketOf(partnerId);
    const [regime, signals, uplift] = await Promise.all([
      this.insights.regime(marketId),
      this.insights.signals(marketId),
      this.uplifts.read(partnerId, {}),
    ]);
    const opportunities = signals
      .filter(({ eligible, riskAdjustedApy }) => eligible && riskAdjustedApy !== null)
      .slice(0, OPPORTUNITIES);
    return {
      asOf: uplift.asOf,
      headline: headline(regime, opportunities[0]),
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

const headline = ({ regime }: RegimeReport, best: RankedSignal | undefined): string =>
  best
    ? `${HEADLINES[regime]} ${best.name} has the best risk-adjusted APY, ${percent(best.riskAdjustedApy)}.`
    : HEADLINES[regime];

function regimeInWords({ asset, regime, apy, trend }: RegimeReport['assets'][number]): string {
  if (regime === 'unknown' || apy === null) return `${asset}: the regime is unknown.`;
  const drift = trend === null ? '' : `, with a trend of ${points(trend)} a day`;
  return `${asset}: the regime is ${regime} at ${percent(apy)}${drift}.`;
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
  `${rank}. ${name} (${asset}, ${riskTier} risk): ${percent(riskAdjustedApy)} risk-adjusted, ${percent(apy)} observed last; recommendation: ${recommendation}.`;

function upliftInWords({ positions, lending, hold }: Uplift): string[] {
  if (positions === 0) return ['There are no positions yet, so there is no uplift.'];
  const { realized, projected } = lending;
  const sentences = [
    `Routing of ${positions} position${positions === 1 ? '' : 's'} came to ${formatAmount(realized.uplift)} over the lending vaults, and to ${formatAmount(hold.realized.uplift)} over holding each first vault.`,
  ];
  if (projected.uplift !== null)
    sentences.push(
      `At today's risk-adjusted APYs, ${percent(projected.routedApy)} against ${percent(projected.baselineApy)}, ${projected.horizonDays} days would add ${formatAmount(projected.uplift)}.`,
    );
  return sentences;
}

const percent = (rate: number | null): string => (rate === null ? 'unknown' : `${(rate * 100).toFixed(2)} %`);
const points = (rate: number): string => `${(rate * 100).toFixed(3)} pp`;
