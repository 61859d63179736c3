import { type Regime, REGIMES } from '../../domain/markets/signals/regime.js';
import type { RegimeReport } from '../../domain/reporting/insight.service.js';
import { Shown } from '../../http/answer/shown.js';
import {
  AssetRegimeFigures,
  assetFiguresView,
  figuresView,
  OVERALL,
  REGIME_MEANING,
  RegimeFigures,
} from '../shared/regime.dto.js';

const MEANING = `${REGIME_MEANING} \`unknown\`: see \`reason\`; never guessed.`;

export class PartnerAssetRegime extends AssetRegimeFigures {
  @Shown.choice(REGIMES, MEANING, 'stable') regime: Regime;
}

export class RegimeDto extends RegimeFigures {
  @Shown.choice(REGIMES, `${OVERALL} ${MEANING}`, 'stable') regime: Regime;
  @Shown.time('The hour that it is of.') as_of: string;
  @Shown.records(() => PartnerAssetRegime, 'Asset by asset.') assets: PartnerAssetRegime[];
}

export const regimeView = (report: RegimeReport): RegimeDto => ({
  regime: report.regime,
  ...figuresView(report),
  as_of: report.asOf.toISOString(),
  assets: report.assets.map((row) => ({ regime: row.regime, ...assetFiguresView(row) })),
});
