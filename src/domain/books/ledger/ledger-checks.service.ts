import { Injectable } from '@nestjs/common';
import { AuditChain, type AuditedChain } from '../../tenants/audit/audit-chain.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { Checkpoint } from './checkpoint.js';
import { FIND_LAST_CHECK, RECORD_CHECK } from './checkpoint.queries.js';
import { type Difference, LedgerVerifier, type Verified } from './ledger-verifier.js';

export type LedgerCheck = RowFrom<typeof FIND_LAST_CHECK>;

export type CheckedLedger = Verified & AuditedChain & Pick<LedgerCheck, 'isFull'> & { seal: string | null };

/** Runs of the verifier, each of which begins where the last one without differences ended. */
@Injectable()
export class LedgerChecks {
  constructor(
    private readonly store: Store,
    private readonly verifier: LedgerVerifier,
    private readonly audit: AuditChain,
  ) {}

  /** Verifies the ledger since the checkpoint, or as a whole, and the whole audit log. Throws Error while another run is under way. */
  async run(isFull: boolean, report: (difference: Difference) => void): Promise<CheckedLedger> {
    await this.audit.extend();
    try {
      return await this.store.snapshot(() => this.check(isFull, report), 'WRITE');
    } catch (error) {
      if (!(error instanceof DifferentError)) throw error;
      const { checked } = error;
      await this.store.query(RECORD_CHECK, [checked.isFull, checked.entries, checked.differences, null]);
      return checked;
    }
  }

  async last(): Promise<LedgerCheck | null> {
    const [row] = await this.store.query(FIND_LAST_CHECK, []);
    return row ?? null;
  }

  private async check(wantsFull: boolean, report: (difference: Difference) => void): Promise<CheckedLedger> {
    let differences = 0;
    const differs = (subject: string, problem: string): void => {
      differences++;
      report({ subject, problem });
    };
    const checkpoint = await Checkpoint.open(this.store, wantsFull, differs, () => differences === 0);
    if (!checkpoint) throw new Error('Another process is verifying the ledger.');
    const { isFull } = checkpoint;
    const audited = await this.audit.verify(differs);
    const verified = { ...(await this.verifier.replay(checkpoint, differs)), ...audited };
    if (differences > 0) throw new DifferentError({ ...verified, isFull, differences, seal: null });
    const seal = await checkpoint.seal();
    await this.store.query(RECORD_CHECK, [isFull, verified.entries, 0, seal]);
    return { ...verified, isFull, differences, seal };
  }
}

/** Rolls the run back: the checkpoint stays where it was. */
class DifferentError extends Error {
  constructor(readonly checked: CheckedLedger) {
    super('The ledger differs from what is stored.');
  }
}
