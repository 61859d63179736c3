import { compare, type Comparison } from './routing/compare.js';
import { panelsTable } from './routing/panels.js';
import { benchRules, sandboxRules, WEATHERS, yearOf } from './routing/year.js';
import { tableOf } from './routing/table.js';

const seeds = Number(process.env['SEEDS'] ?? 4);
const from = Number(process.env['SEED_FROM'] ?? 1);
const { constants } = sandboxRules();
const rules = benchRules();
const weathers = WEATHERS.filter((one) => (process.env['WEATHERS'] ?? one).split(',').includes(one));
const results: Comparison[] = [];
for (const weather of weathers) {
  for (let seed = from; seed < from + seeds; seed++) {
    const year = yearOf(`bench-${seed}`, weather);
    results.push(...(await compare(year, rules, { ...constants.signals.riskHaircut })));
  }
}
process.stdout.write(`${tableOf(results)}\n`);
const panels = process.env['PANELS'];
if (panels) process.stdout.write(`\n${await panelsTable(panels, process.env['PANEL_DATA'] ?? panels)}\n`);
