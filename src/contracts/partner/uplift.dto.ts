import type { Uplift } from '../../domain/reporting/uplift.service.js';
import { Shown } from '../../http/answer/shown.js';
import {
  upliftAgainst,
  UpliftProjected,
  UpliftRealized,
  UpliftScope,
  upliftScope,
} from '../shared/uplift.dto.js';

/** Uplift over one baseline: the lending vault of each asset. */
export class UpliftDto extends UpliftScope {
  @Shown.record(() => UpliftRealized, 'What routing has brought so far over the lending vault of each asset.')
  realized: UpliftRealized;
  @Shown.record(() => UpliftProjected, "What it would bring over it at today's expected yields.")
  projected: UpliftProjected;
}

export const upliftView = (uplift: Uplift): UpliftDto => ({
  ...upliftScope(uplift),
  ...upliftAgainst(uplift.lending),
});
