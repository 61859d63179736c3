import type { DomainErrorCode } from '../../src/domain/kernel/domain-error.js';

/** Outcome of an operation: done, or the code of its refusal. */
export type Outcome = 'done' | DomainErrorCode;

/** @throws any error that is not a refusal */
export async function outcome(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work();
    return 'done';
  } catch (error) {
    const { code } = error as { code?: DomainErrorCode };
    if (!(error instanceof Error) || error.name !== 'DomainError' || !code) throw error;
    return code;
  }
}
