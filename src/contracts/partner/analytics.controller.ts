import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import { type Regime, REGIMES } from '../../domain/markets/signals/regime.js';
import { InsightService } from '../../domain/reporting/insight.service.js';
import { type Uplift, UpliftService } from '../../domain/reporting/uplift.service.js';
import { Shown } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { Operation } from '../../http/openapi/operation.js';
import { BoundPartnerId, PartnerId } from '../../http/access/caller.js';
import {
  AssetRegimeFigures,
  OVERALL,
  REGIME_DESCRIPTION,
  REGIME_MEANING,
  RegimeFigures,
  RegimeQuery,
} from '../shared/regime.dto.js';
import {
  upliftAgainst,
  upliftFilter,
  UpliftProjected,
  UpliftQuery,
  UpliftRealized,
  UpliftScope,
} from '../shared/uplift.dto.js';

const MEANING = `${REGIME_MEANING} \`unknown\`: see \`reason\`.`;

class PartnerAssetRegime extends AssetRegimeFigures {
  @Shown.choice(REGIMES, MEANING, 'stable') regime: Regime;
}

class RegimeDto extends RegimeFigures {
  @Shown.choice(REGIMES, `${OVERALL} ${MEANING}`, 'stable') regime: Regime;
  @Shown.time('Hour of the regime.') as_of: string;
  @Shown.records(() => PartnerAssetRegime, 'Regime of each asset.') assets: PartnerAssetRegime[];
}

const regimeView = viewOf(RegimeDto);

class UpliftDto extends UpliftScope {
  @Shown.record(() => UpliftRealized, 'Uplift so far over the lending vault of each asset.')
  realized: UpliftRealized;
  @Shown.record(
    () => UpliftProjected,
    "Uplift at today's expected yields over the lending vault of each asset.",
  )
  projected: UpliftProjected;
}

const upliftView = viewOf(UpliftDto, ({ lending }: Uplift) => upliftAgainst(lending));

/** The contract's document has the literal kind `object` in both answers. */
const OBJECT = 'object';

@ApiTags('Analytics')
@Controller('analytics')
export class PartnerAnalyticsController {
  constructor(
    private readonly insights: InsightService,
    private readonly uplifts: UpliftService,
    private readonly market: MarketService,
  ) {}

  @Get('regime')
  @Operation({
    summary: 'Read the rate regime',
    description: `${REGIME_DESCRIPTION} It becomes \`unknown\` as soon as there is too little history.`,
    access: { scopes: ['read', 'partner:read'] },
    success: { object: OBJECT, data: RegimeDto, description: 'The regime.' },
  })
  async readRegime(@BoundPartnerId() partnerId: string | null, @Query() { asset }: RegimeQuery) {
    return regimeView(await this.insights.regime(this.market.marketOf(partnerId), asset));
  }

  @Get('uplift')
  @Operation({
    summary: 'Read the uplift',
    description:
      "Uplift: what routing earned your end-users beyond the lending vault of each asset with the same deposits and withdrawals, and what it would earn at today's rates.",
    access: { scopes: ['partner:read'], partner: true },
    success: { object: OBJECT, data: UpliftDto, description: 'The uplift.' },
  })
  async readUplift(@PartnerId() partnerId: string, @Query() query: UpliftQuery) {
    return upliftView(await this.uplifts.read(partnerId, upliftFilter(query)));
  }
}
