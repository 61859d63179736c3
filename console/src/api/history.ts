import { answered, api, asked } from './client.js';
import type { Schemas } from './contract.js';

/** The figures of a partner's book at the end of a day, for one asset or all of them. */
export interface Closing {
  at: string;
  net_tvl: number;
  lending_value: number;
  hold_value: number;
  /** Uplift net of costs, including what withdrawals settled. */
  lending_uplift: number;
  hold_uplift: number;
}

export type VaultPoint = Schemas['VaultPoint'];

/** A sum rounded to the millionth, which removes floating-point errors. */
export const sum = (amount: number, other: number): number =>
  (Math.round(amount * 1_000_000) + Math.round(other * 1_000_000)) / 1_000_000;

/** Closings by day, oldest first. Over all assets, amounts are added at par, as in reports. */
export async function closings(
  query: { asset: string | undefined; from: string; to: string | undefined },
  signal: AbortSignal,
): Promise<Closing[]> {
  const { data } = await answered(api.GET('/partner/history', { params: { query: asked(query) }, signal }));
  const byDay = new Map<string, Closing>();
  for (const { at, net_tvl, baselines, uplift } of data.points) {
    const earlier = byDay.get(at);
    byDay.set(at, {
      at,
      net_tvl: sum(earlier?.net_tvl ?? 0, net_tvl),
      lending_value: sum(earlier?.lending_value ?? 0, baselines.lending_value),
      hold_value: sum(earlier?.hold_value ?? 0, baselines.hold_value),
      lending_uplift: sum(earlier?.lending_uplift ?? 0, uplift.lending),
      hold_uplift: sum(earlier?.hold_uplift ?? 0, uplift.hold),
    });
  }
  return [...byDay.values()];
}

export async function vaultHistory(
  id: string,
  query: { from: string; to?: string; interval: 'hour' | 'day' },
  signal: AbortSignal,
): Promise<VaultPoint[]> {
  const { data } = await answered(
    api.GET('/vaults/{id}/history', { params: { path: { id }, query }, signal }),
  );
  return data.points;
}

/** The series of a chart: a value for each time, null where there is none. */
export function aligned<K extends string>(
  times: readonly string[],
  points: readonly ({ at: string } & Record<K, number | null>)[],
  name: K,
): (number | null)[] {
  const byTime = new Map(points.map((point) => [point.at, point[name]]));
  return times.map((at) => byTime.get(at) ?? null);
}

export const timesOf = (...lists: readonly (readonly { at: string }[])[]): string[] =>
  [...new Set(lists.flatMap((points) => points.map(({ at }) => at)))].sort();
