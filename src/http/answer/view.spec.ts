import { describe, expect, it } from '@jest/globals';
import { type RoundedRate, roundRate } from '../../domain/kernel/money.js';
import { Shown, ShownOrNull } from './shown.js';
import { viewOf } from './view.js';

class Part {
  @Shown.text('A name.', 'one') part_name: string;
}

class Whole {
  @Shown.id('pos') id: string;
  @Shown.kind('whole') object: 'whole';
  @Shown.amount('An amount.', 1) net_tvl: number;
  @ShownOrNull.amount('An amount.', 1) found_amount: number | null;
  @Shown.rate('A rate.', 0.1) mean_apy: RoundedRate;
  @Shown.time('A moment.') created_at: string;
  @ShownOrNull.time('A moment.') closed_at: string | null;
  @Shown.number('A number.', 1, { optional: true }) gas_price?: number;
  @Shown.record(() => Part, 'A part.') first_part: Part;
  @Shown.records(() => Part, 'Parts.') all_parts: readonly Part[];
}

const RECORD = {
  id: 'pos_1',
  netTvl: 1_500_000n,
  foundAmount: null,
  meanApy: 0.1 + 0.2,
  createdAt: new Date('2026-01-31T12:00:00.000Z'),
  closedAt: null,
  firstPart: { partName: 'one', secret: 'hidden' },
  allParts: [{ partName: 'two' }],
  secret: 'hidden',
};

describe('a view of a record', () => {
  it('A view of a record has the declared fields and no others: moments, amounts and rates as they are shown', () => {
    expect(viewOf(Whole)(RECORD)).toEqual({
      id: 'pos_1',
      object: 'whole',
      net_tvl: 1.5,
      found_amount: null,
      mean_apy: roundRate(0.3),
      created_at: '2026-01-31T12:00:00.000Z',
      closed_at: null,
      first_part: { part_name: 'one' },
      all_parts: [{ part_name: 'two' }],
    });
  });

  it('A view of a record has fields of its own in place of those of the record', () => {
    const view = viewOf(Whole, ({ id }: typeof RECORD) => ({ id: `${id}1`, gas_price: 2 }));
    expect(view(RECORD)).toMatchObject({ id: 'pos_11', gas_price: 2, net_tvl: 1.5 });
  });

  it('A view of a record has an amount of more than 64 bits as it is', () => {
    const { net_tvl } = viewOf(Whole)({ ...RECORD, netTvl: 2n ** 80n });
    expect(String(net_tvl)).toBe('1208925819614629174.706176');
  });

  it('A view of a record is refused for an amount that is not in micro-units, and for a moment that is text', () => {
    expect(() => viewOf(Whole)({ ...RECORD, netTvl: 1.5 })).toThrow(TypeError);
    expect(() => viewOf(Whole)({ ...RECORD, createdAt: '2026-01-31' })).toThrow(TypeError);
  });
});
