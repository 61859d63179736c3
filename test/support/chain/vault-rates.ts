import { HOUR_MS } from '../../../src/domain/kernel/clock.js';
import { A, B, C } from '../moves.js';

/** Yields a year of A, B and C, fractions. */
export type Rates = readonly [number, number, number];

/** Growth within an hour. */
export const hourly = (apy: number): number => Math.expm1(Math.log1p(apy) / 8_760);

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/** What three vaults earn, hour by hour: an hour after the yield API has shown it. */
export class VaultRates {
  /** In this hour. */
  earned: Rates = [0.05, 0.04, 0.03];
  /** In the next one. */
  shown: Rates = this.earned;
  private readonly past = new Map<number, Rates>();

  /** @param rates what the yield API shows from the hour on that begins */
  turn(begins: Date, rates: Rates): void {
    [this.earned, this.shown] = [this.shown, rates];
    this.past.set(hourOf(begins.getTime()), this.earned);
  }

  /** What an amount earns in a vault between two times, micro-units. */
  yieldOf(vaultId: string, amount: bigint, from: number, to: number): number {
    const place = ([A, B, C] as string[]).indexOf(vaultId);
    let sum = 0;
    for (let at = from; at < to;) {
      const next = Math.min(to, (hourOf(at) + 1) * HOUR_MS);
      const rates = this.past.get(hourOf(at)) ?? this.earned;
      sum += (Number(amount) * hourly(rates[place]!) * (next - at)) / HOUR_MS;
      at = next;
    }
    return sum;
  }
}
