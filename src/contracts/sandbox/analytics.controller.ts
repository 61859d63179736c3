import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import { KNOWN_REGIMES, type KnownRegime } from '../../domain/markets/signals/regime.js';
import { type Advice, AdvisorService } from '../../domain/reporting/advisor.service.js';
import {
  type AssetRegime,
  InsightService,
  type RegimeReport,
  type SeriesRegime,
} from '../../domain/reporting/insight.service.js';
import { type Uplift, UpliftService } from '../../domain/reporting/uplift.service.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { Operation } from '../../http/openapi/operation.js';
import { BoundPartnerId, PartnerId } from '../../http/access/caller.js';
import { SignalDto, signalView } from '../shared/insight.dto.js';
import {
  AssetRegimeFigures,
  OVERALL,
  REGIME_DESCRIPTION,
  REGIME_MEANING,
  RegimeFigures,
  RegimeQuery,
} from '../shared/regime.dto.js';
import {
  UpliftAgainst,
  upliftAgainst,
  upliftFilter,
  UpliftQuery,
  UpliftScope,
} from '../shared/uplift.dto.js';

const MEANING = `${REGIME_MEANING} null: unknown, see \`reason\`.`;

class SandboxAssetRegime extends AssetRegimeFigures {
  @ShownOrNull.choice(KNOWN_REGIMES, MEANING, 'stable') regime: KnownRegime | null;
}

/** The contract's document knows four regimes; an unknown one is null. */
class SandboxRegime extends RegimeFigures {
  @ShownOrNull.choice(KNOWN_REGIMES, `${OVERALL} ${MEANING}`, 'stable') regime: KnownRegime | null;
  @Shown.time('Hour of the regime.') as_of: string;
  @Shown.records(() => SandboxAssetRegime, 'Regime of each asset.') assets: SandboxAssetRegime[];
}

const knownRegime = ({ regime }: SeriesRegime): KnownRegime | null => (regime === 'unknown' ? null : regime);

const regimeView = viewOf(SandboxRegime, (report: RegimeReport) => ({
  regime: knownRegime(report),
  assets: report.assets.map(assetRegimeView),
}));

const assetRegimeView = viewOf(SandboxAssetRegime, (row: AssetRegime) => ({ regime: knownRegime(row) }));

class UpliftBaselines {
  @Shown.record(
    () => UpliftAgainst,
    "The asset's lending vault throughout, whether or not your policy allows it.",
  )
  lending: UpliftAgainst;
  @Shown.record(
    () => UpliftAgainst,
    "Each position's first vault throughout, whether or not your policy still allows it.",
  )
  hold: UpliftAgainst;
}

/** Uplift over two passive baselines, to which every deposit and withdrawal was applied as well. */
class UpliftReport extends UpliftScope {
  @Shown.record(() => UpliftBaselines, 'Passive baselines that routing is compared with.')
  baselines: UpliftBaselines;
}

const upliftView = viewOf(UpliftReport, ({ lending, hold }: Uplift) => ({
  baselines: { lending: upliftAgainst(lending), hold: upliftAgainst(hold) },
}));

class Advisor {
  @Shown.time('Moment of the summary.') as_of: string;
  @Shown.text(
    'Summary in two or three sentences. Begins with `Outage:` where feeds have been silent for more than three hours.',
    'Yields are stable. Harbor Lend USDC has the best expected risk-adjusted APY, 4.82 %.',
  )
  headline: string;
  @Shown.record(() => SandboxRegime, 'Regime of yields, as in `/analytics/regime`.')
  regime: SandboxRegime;
  @Shown.records(
    () => SignalDto,
    'The best vaults of `/analytics/signals`, at most three, that would get funds now, have enough history and are not recommended to `reduce`. Your policy is not applied.',
  )
  opportunities: SignalDto[];
  @Shown.record(() => UpliftReport, 'Uplift of routing, as in `/analytics/uplift`.')
  uplift: UpliftReport;
  @Shown.texts('The reasons in sentences. They round the figures of the fields above.', [
    'USDC: the regime is stable at 5.23 %, with a trend of 0.030 pp a day.',
  ])
  rationale: string[];
  @Shown.choice(['template'], 'Source of the sentences: templates, no language model.', 'template')
  generator: 'template';
}

const advisorView = viewOf(Advisor, (advice: Advice) => ({
  regime: regimeView(advice.regime),
  opportunities: advice.opportunities.map(signalView),
  uplift: upliftView(advice.uplift),
  generator: 'template' as const,
}));

const access = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('Analytics')
@Controller('analytics')
export class SandboxAnalyticsController {
  constructor(
    private readonly insights: InsightService,
    private readonly uplifts: UpliftService,
    private readonly advisor: AdvisorService,
    private readonly market: MarketService,
  ) {}

  @Get('regime')
  @Operation({
    summary: 'Read the rate regime',
    description: `${REGIME_DESCRIPTION} It becomes null as soon as there is too little history.`,
    access: { scopes: ['read', 'partner:read'] },
    success: { object: 'regime', data: SandboxRegime, description: 'The regime.' },
  })
  async readRegime(@BoundPartnerId() partnerId: string | null, @Query() { asset }: RegimeQuery) {
    return regimeView(await this.insights.regime(this.market.marketOf(partnerId), asset));
  }

  @Get('uplift')
  @Operation({
    summary: 'Read the uplift',
    description:
      "Uplift: what routing earned your end-users beyond two passive baselines with the same deposits and withdrawals (the lending vault of each asset, and each position's first vault), and what it would earn at today's rates.",
    access,
    success: { object: 'uplift', data: UpliftReport, description: 'The uplift.' },
  })
  async readUplift(@PartnerId() partnerId: string, @Query() query: UpliftQuery) {
    return upliftView(await this.uplifts.read(partnerId, upliftFilter(query)));
  }

  @Get('advisor')
  @Operation({
    summary: 'Read the strategy summary',
    description:
      'Regime of yields, best vaults after risk, and uplift, in figures and in sentences from templates. The sentences add nothing to the figures.',
    access,
    success: { object: 'advisor', data: Advisor, description: 'The summary.' },
  })
  async readAdvice(@PartnerId() partnerId: string) {
    return advisorView(await this.advisor.advise(partnerId));
  }
}
