import { KNOWN_REGIMES, type KnownRegime } from '../../domain/markets/signals/regime.js';
import type { RegimeReport, SeriesRegime } from '../../domain/reporting/insight.service.js';
import { Shown } from '../../http/answer/shown.js';
import {
  AssetRegimeFigures,
  assetFiguresView,
  figuresView,
  OVERALL,
  REGIME_MEANING,
  RegimeFigures,
} from '../shared/regime.dto.js';

const MEANING = `${REGIME_MEANING} null: not known, see \`reason\`; never guessed.`;
const NULLABLE = { nullable: true };

export class SandboxAssetRegime extends AssetRegimeFigures {
  @Shown.choice(KNOWN_REGIMES, MEANING, 'stable', NULLABLE) regime: KnownRegime | null;
}

/** The contract's document knows four regimes; an unknown one is null. */
export class SandboxRegime extends RegimeFigures {
  @Shown.choice(KNOWN_REGIMES, `${OVERALL} ${MEANING}`, 'stable', NULLABLE) regime: KnownRegime | null;
  @Shown.time('The hour that it is of.') as_of: string;
  @Shown.records(() => SandboxAssetRegime, 'Asset by asset.') assets: SandboxAssetRegime[];
}

const knownOf = ({ regime }: SeriesRegime): KnownRegime | null => (regime === 'unknown' ? null : regime);

export const regimeView = (report: RegimeReport): SandboxRegime => ({
  regime: knownOf(report),
  ...figuresView(report),
  as_of: report.asOf.toISOString(),
  assets: report.assets.map((row) => ({ regime: knownOf(row), ...assetFiguresView(row) })),
});
