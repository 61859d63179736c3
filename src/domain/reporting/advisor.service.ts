import { Injectable } from '@nestjs/common';
import type { KnownRegime, RegimeReason } from '../analytics/regime.js';
import { MarketService } from '../markets/market.service.js';
import { formatAmount } from '../positions/amount.js';
import { type AssetRegime, InsightService, type RankedSignal, type RegimeReport } from './insight.service.js';
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

const HEADLINES: Record<KnownRegime, string> = {
  rising: 'Yields are rising.',
  falling: 'Yields are falling.',
  stable: 'Yields are stable.',
  volatile: 'Yields are volatile.',
};

const WHY_UNKNOWN: Record<RegimeReason, string> = {
  short_history: 'there is too little history',
  silent_feed: 'they were last observed too long ago',
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

function headline({ regime, reason }: RegimeReport, best: RankedSignal | undefined): string {
  const yields =
    regime === 'unknown' ? `How yields behave is not known: ${WHY_UNKNOWN[reason]}.` : HEADLINES[regime];
  return best
    ? `${yields} ${best.name} has the best risk-adjusted APY, ${percent(best.riskAdjustedApy)}.`
    : yields;
}

function regimeInWords({ asset, regime, reason, apy, trend }: AssetRegime): string {
  if (regime === 'unknown') return `${asset}: how its yields behave is not known: ${WHY_UNKNOWN[reason]}.`;
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
