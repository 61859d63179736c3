import fc from 'fast-check';
import { pick, step } from './step.js';

export const partnerCommands = [
  step(
    'revenue share',
    fc.record({ pick, bps: fc.integer({ min: 0, max: 10_000 }) }),
    async (world, given) => {
      const partner = world.partner(given.pick);
      await world.setShare(partner, given.bps);
      return [partner];
    },
  ),
  step(
    'campaign',
    fc.record({ pick, hundredths: fc.integer({ min: 100, max: 1_000 }), off: fc.boolean() }),
    async (world, given) => {
      await world.setCampaign(world.partner(given.pick), given.hundredths, given.off);
      return [];
    },
  ),
  step('disable or enable', fc.record({ pick, off: fc.boolean() }), async (world, given) => {
    await world.setDisabled(world.partner(given.pick), given.off);
    return [];
  }),
];
