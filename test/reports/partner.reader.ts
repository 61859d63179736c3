import { PositionService } from '../../src/domain/positions/position.service.js';
import type { PositionRecord } from '../../src/domain/positions/position-record.js';
import { ReportService } from '../../src/domain/reporting/report.service.js';
import { type UpliftFilter, UpliftService } from '../../src/domain/reporting/uplift.service.js';
import type { Engine } from '../support/engine.js';

/** More than a test makes. */
const ALL = { limit: 500, after: null };

/** Everything that one partner can read about its book, at one moment. */
export class PartnerReader {
  constructor(
    private readonly engine: Engine,
    readonly partnerId: string,
  ) {}

  async all() {
    const reports = this.engine.context.get(ReportService);
    const { partnerId: id } = this;
    return {
      summary: await reports.summary(id),
      deposits: await reports.deposits(id),
      withdrawals: await reports.withdrawals(id),
      tvl: await reports.tvl(id),
      yield: await reports.yield(id),
      points: await reports.points(id),
      revenue: await reports.revenue(id),
      users: (await reports.users(id, ALL)).items,
      uplift: await this.uplift({}),
    };
  }

  uplift(filter: UpliftFilter) {
    return this.engine.context.get(UpliftService).read(this.partnerId, filter);
  }

  async positions(): Promise<PositionRecord[]> {
    const { partnerId } = this;
    return (await this.engine.context.get(PositionService).list({ partnerId }, ALL)).items;
  }

  /** All of it as text: equal texts are equal figures, wherever and whenever they were read. */
  async text(): Promise<string> {
    return textOf(await this.all());
  }
}

export const textOf = (value: unknown): string =>
  JSON.stringify(value, (name, one: unknown) => {
    if (name === 'asOf') return undefined;
    return typeof one === 'bigint' ? `${one}n` : one;
  });
