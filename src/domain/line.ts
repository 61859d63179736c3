/** Queue with round-robin over owners, so that nobody waits behind all requests of another; within an owner it is first in, first out. */
export class Line<T> {
  /** Owners with waiting entries only. The one served last is at the end. */
  private readonly waiting = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** Number of an owner's waiting entries. */
  lengthOf(whose: string): number {
    return this.waiting.get(whose)?.length ?? 0;
  }

  push(whose: string, one: T): void {
    const own = this.waiting.get(whose);
    if (own) own.push(one);
    else this.waiting.set(whose, [one]);
  }

  /**
   * Removes and returns the next entry.
   * @param admits whether an owner may be served
   * @returns undefined when no owner may
   */
  next(admits: (whose: string) => boolean = () => true): T | undefined {
    for (const whose of this.waiting.keys()) if (admits(whose)) return this.nextOf(whose);
    return undefined;
  }

  /**
   * Removes and returns an owner's next entry.
   * @returns undefined when there is none
   */
  nextOf(whose: string): T | undefined {
    const own = this.waiting.get(whose);
    const one = own?.shift();
    this.waiting.delete(whose);
    if (own && own.length > 0) this.waiting.set(whose, own);
    return one;
  }

  /**
   * Removes an entry that gave up.
   * @returns whether it was waiting
   */
  remove(whose: string, one: T): boolean {
    const own = this.waiting.get(whose) ?? [];
    const index = own.indexOf(one);
    if (index < 0) return false;
    own.splice(index, 1);
    if (own.length === 0) this.waiting.delete(whose);
    return true;
  }
}
