import type { Contract } from './operations.js';
import type { Stage } from './stage.js';

/** One thing that must hold of a deployment. */
export interface Rule {
  /** `paging.cursor-chain`: a report and a later run name it by this. */
  id: string;
  /** What must hold, as a sentence. */
  says: string;
  /** Where one contract alone promises it. */
  only?: Contract;
  /** @throws Broken when it does not hold, Skipped when it cannot be asked */
  run: (stage: Stage) => Promise<void>;
}

/** Rules of one subject, in the order in which they run. */
export const rulesOf = (
  subject: string,
  rules: Record<string, [says: string, run: Rule['run'], only?: Contract]>,
): Rule[] =>
  Object.entries(rules).map(([name, [says, run, only]]) => ({
    id: `${subject}.${name}`,
    says,
    run,
    ...(only && { only }),
  }));
