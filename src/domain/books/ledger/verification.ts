/** Lines of one subject, beyond which its differences are only counted: a wrong entry may be one of a million. */
const LINES = 100;

/** Called with each difference: subject and problem. `count`: how many differences the line stands for; default: 1. */
export type ReportDifference = (subject: string, problem: string, count?: number) => void;

/** Part of the name of a count of rows that could not be compared. */
export const NOT_COMPARED = 'not compared';

/** Numbers of rows that were compared, by what they are; and of those that could not be, by why. */
export type ComparedCounts = Readonly<Record<string, number>>;

/** Check that another module adds to the verification of the ledger. */
export interface VerifiedPart {
  /** Runs in the snapshot of the run. @param seventh of the partners; null: all @throws Error when something cannot be read */
  verify(differs: ReportDifference, seventh: number | null): Promise<ComparedCounts>;
}

/** Problems of one subject: the first ones, and the number of all. */
export class Problems {
  readonly lines: string[] = [];
  count = 0;

  add(problem: string): void {
    this.count++;
    if (this.lines.length < LINES) this.lines.push(problem);
  }

  report(subject: string, differs: ReportDifference): void {
    for (const line of this.lines) differs(subject, line);
    const more = this.count - this.lines.length;
    if (more > 0) differs(subject, `has ${more} more differences`, more);
  }
}

export const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);
