import fc from 'fast-check';
import { one, step } from './step.js';

export const partnerCommands = [
  step(
    'revenue share',
    fc.record({ one, bps: fc.integer({ min: 0, max: 10_000 }) }),
    async (world, given) => {
      const partner = world.partner(given.one);
      await world.setShare(partner, given.bps);
      return [partner];
    },
  ),
  step(
    'campaign',
    fc.record({ one, hundredths: fc.integer({ min: 100, max: 1_000 }), off: fc.boolean() }),
    async (world, given) => {
      await world.setCampaign(world.partner(given.one), given.hundredths, given.off);
      return [];
    },
  ),
  step('disable or enable', fc.record({ one, off: fc.boolean() }), async (world, given) => {
    await world.setDisabled(world.partner(given.one), given.off);
    return [];
  }),
];
