import type { Advice } from '../../domain/reporting/advisor.service.js';
import { Shown } from '../../http/answer/shown.js';
import { SignalDto, signalView } from '../shared/insight.dto.js';
import { SandboxRegime, regimeView } from './regime.dto.js';
import { UpliftReport, upliftView } from './uplift.dto.js';

export class Advisor {
  @Shown.time('The moment that it is of.') as_of: string;
  @Shown.text(
    'The whole in two or three sentences, for people. Where feeds are silent for more than three hours, it begins with `Outage:`.',
    'Yields are stable. Harbor Lend USDC has the best expected risk-adjusted APY, 4.82 %.',
  )
  headline: string;
  @Shown.record(() => SandboxRegime, 'How yields behave: the answer of `/analytics/regime`.')
  regime: SandboxRegime;
  @Shown.records(
    () => SignalDto,
    'The best of `/analytics/signals` that take deposits, ranked among themselves: at most three, only such with enough history, and none to `reduce`. They are of the market: a vault that your policy does not allow may be among them.',
  )
  opportunities: SignalDto[];
  @Shown.record(() => UpliftReport, 'What routing brought: the answer of `/analytics/uplift`.')
  uplift: UpliftReport;
  @Shown.texts('The reasons in sentences, for people. Every figure in them is one of those above, rounded.', [
    'USDC: the regime is stable at 5.23 %, with a trend of 0.030 pp a day.',
  ])
  rationale: string[];
  @Shown.choice(
    ['template'],
    'How the sentences are made: from templates, without a language model.',
    'template',
  )
  generator: 'template';
}

export const advisorView = (advice: Advice): Advisor => ({
  as_of: advice.asOf.toISOString(),
  headline: advice.headline,
  regime: regimeView(advice.regime),
  opportunities: advice.opportunities.map(signalView),
  uplift: upliftView(advice.uplift),
  rationale: advice.rationale,
  generator: 'template',
});
