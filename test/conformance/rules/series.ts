import type { Caller } from '../caller.js';
import { dataOf, rowsOf } from '../check.js';

const HOUR_MS = 3_600_000;
const HOURS_A_YEAR = 8760;
const hourOf = (at: string): number => Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS;

/** Hourly series of vaults, as their histories show them. Each is read once an hour. */
export class VaultSeries {
  private readonly readings = new Map<string, Promise<any>>();

  constructor(private readonly caller: Caller) {}

  list(): Promise<any[]> {
    return this.once('list', () => this.caller.get('/vaults?limit=500').then(rowsOf));
  }

  /** Points by hour, in Unix milliseconds. */
  of(vaultId: string): Promise<Map<number, any>> {
    return this.once(vaultId, async () => {
      const { points } = dataOf(await this.caller.get(`/vaults/${vaultId}/history`), 200);
      return new Map(points.map((point: any) => [Date.parse(point.at), point]));
    });
  }

  /** What an APY at that time may be: that of its hour or of the one before. Empty: not known. */
  async apysAround(vaultId: string, at: string): Promise<number[]> {
    if (isIdle(vaultId)) return [0];
    const points = await this.of(vaultId);
    const apys = [0, 1, 2].map((hours) => points.get(hourOf(at) - hours * HOUR_MS)?.apy);
    return apys.filter((apy) => typeof apy === 'number');
  }

  /** By what factor an index grew. null: it is not known by its hours. */
  async growth(vaultId: string, from: string, to: string): Promise<number | null> {
    if (isIdle(vaultId)) return 1;
    const vault = (await this.list()).find(({ id }) => id === vaultId);
    if (vault?.source !== 'simulated') return null;
    const [before, after] = [await this.indexAt(vaultId, from), await this.indexAt(vaultId, to)];
    return before === null || after === null ? null : after / before;
  }

  private async indexAt(vaultId: string, at: string): Promise<number | null> {
    const point = (await this.of(vaultId)).get(hourOf(at));
    if (typeof point?.apy !== 'number') return null;
    const passed = (Date.parse(at) - hourOf(at)) / HOUR_MS;
    return point.index * (1 + Math.expm1(Math.log1p(point.apy) / HOURS_A_YEAR) * passed);
  }

  private once<T>(what: string, read: () => Promise<T>): Promise<T> {
    const name = `${what} ${Math.floor(Date.now() / HOUR_MS)}`;
    const reading = this.readings.get(name) ?? read();
    this.readings.set(name, reading);
    return reading as Promise<T>;
  }
}

export const isIdle = (vaultId: string): boolean => vaultId.startsWith('vlt_idle_');
