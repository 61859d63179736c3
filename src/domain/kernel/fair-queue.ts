/** Queue with round-robin over owners, so that nobody waits behind all requests of another; within an owner it is first in, first out. */
export class FairQueue<T> {
  /** Owners with waiting entries only. The one served last is at the end. */
  private readonly waiting = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** Number of an owner's waiting entries. */
  lengthOf(owner: string): number {
    return this.waiting.get(owner)?.length ?? 0;
  }

  push(owner: string, one: T): void {
    const own = this.waiting.get(owner);
    if (own) own.push(one);
    else this.waiting.set(owner, [one]);
  }

  /**
   * Removes and returns the next entry.
   * @param admits whether an owner may be served
   * @returns undefined when no owner may
   */
  next(admits: (owner: string) => boolean = () => true): T | undefined {
    for (const owner of this.waiting.keys()) if (admits(owner)) return this.nextOf(owner);
    return undefined;
  }

  /**
   * Removes and returns an owner's next entry.
   * @returns undefined when there is none
   */
  nextOf(owner: string): T | undefined {
    const own = this.waiting.get(owner);
    const one = own?.shift();
    this.waiting.delete(owner);
    if (own && own.length > 0) this.waiting.set(owner, own);
    return one;
  }

  /**
   * Removes an entry that gave up.
   * @returns whether it was waiting
   */
  remove(owner: string, one: T): boolean {
    const own = this.waiting.get(owner) ?? [];
    const index = own.indexOf(one);
    if (index < 0) return false;
    own.splice(index, 1);
    if (own.length === 0) this.waiting.delete(owner);
    return true;
  }
}
