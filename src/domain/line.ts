/** Who waits, by owner: one of each in turn, so that nobody waits behind all that another one asks for. Those of one owner go in the order in which they came. */
export class Line<T> {
  /** Those with nothing waiting are not in it. Who was served last is last. */
  private readonly waiting = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** How many of an owner wait. */
  lengthOf(whose: string): number {
    return this.waiting.get(whose)?.length ?? 0;
  }

  push(whose: string, one: T): void {
    const own = this.waiting.get(whose);
    if (own) own.push(one);
    else this.waiting.set(whose, [one]);
  }

  /** Takes out the next one. @param admits whose turn it may be @returns undefined where nobody's is */
  next(admits: (whose: string) => boolean = () => true): T | undefined {
    for (const whose of this.waiting.keys()) if (admits(whose)) return this.nextOf(whose);
    return undefined;
  }

  /** Takes out the next one of an owner. @returns undefined where none waits */
  nextOf(whose: string): T | undefined {
    const own = this.waiting.get(whose);
    const one = own?.shift();
    this.waiting.delete(whose);
    if (own && own.length > 0) this.waiting.set(whose, own);
    return one;
  }

  /** Takes out one that waits no longer. @returns whether it did */
  remove(whose: string, one: T): boolean {
    const own = this.waiting.get(whose) ?? [];
    const index = own.indexOf(one);
    if (index < 0) return false;
    own.splice(index, 1);
    if (own.length === 0) this.waiting.delete(whose);
    return true;
  }
}
