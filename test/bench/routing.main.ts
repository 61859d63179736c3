import { panelsTable } from './routing/panels.js';
import { WEATHERS, yearsTable } from './routing/years.js';

const from = Number(process.env['SEED_FROM'] ?? 1);
const seeds = Array.from({ length: Number(process.env['SEEDS'] ?? 4) }, (_, index) => from + index);
const weathers = WEATHERS.filter((text) => (process.env['WEATHERS'] ?? text).split(',').includes(text));
if (weathers.length > 0) process.stdout.write(`${await yearsTable(weathers, seeds)}\n`);
const panels = process.env['PANELS'];
if (panels) process.stdout.write(`\n${await panelsTable(panels, process.env['PANEL_DATA'] ?? panels)}\n`);
