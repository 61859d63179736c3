import { routingConstants } from '../../src/domain/routing/routing-constants.js';
import { compare, type Comparison } from './routing/compare.js';
import { sandboxRules, WEATHERS, yearOf } from './routing/year.js';
import { tableOf } from './routing/table.js';

const seeds = Number(process.env['SEEDS'] ?? 4);
const from = Number(process.env['SEED_FROM'] ?? 1);
const { constants, bridgeCosts } = sandboxRules();
const rules = { constants: routingConstants(constants), configVersion: 'bench', bridgeCosts };
const results: Comparison[] = [];
for (const weather of WEATHERS) {
  for (let seed = from; seed < from + seeds; seed++) {
    const year = yearOf(`bench-${seed}`, weather);
    results.push(...(await compare(year, rules, { ...constants.signals.risk_haircut })));
  }
}
process.stdout.write(`${tableOf(results)}\n`);
