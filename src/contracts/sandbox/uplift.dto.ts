import type { Uplift } from '../../domain/reporting/uplift.service.js';
import { Shown } from '../../http/answer/shown.js';
import { UpliftAgainst, upliftAgainst, UpliftScope, upliftScope } from '../shared/uplift.dto.js';

export class UpliftBaselines {
  @Shown.record(
    () => UpliftAgainst,
    'The lending vault of each asset throughout, whether or not your policy allows it.',
  )
  lending: UpliftAgainst;
  @Shown.record(
    () => UpliftAgainst,
    'The vault that each position began in throughout, whether or not your policy still allows it.',
  )
  hold: UpliftAgainst;
}

/** Uplift over two passive baselines, to which every deposit and withdrawal was applied as well. */
export class UpliftReport extends UpliftScope {
  @Shown.record(() => UpliftBaselines, 'What routing is measured against.') baselines: UpliftBaselines;
}

export const upliftView = (uplift: Uplift): UpliftReport => ({
  ...upliftScope(uplift),
  baselines: { lending: upliftAgainst(uplift.lending), hold: upliftAgainst(uplift.hold) },
});
