import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHOWN = 10;
/** Durations of test files in whole seconds: `RECORD_DURATIONS=1 npm test` writes the file, `longest-first.sequencer.mjs` reads it. */
export const DURATIONS = fileURLToPath(new URL('durations.json', import.meta.url));
/** The order of shorter files does not matter, so that their durations are not recorded. */
const RECORDED_FROM_SECONDS = 5;

/** Prints at the end how long the run took, and which files took longest. */
export default class SlowestReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { startTime, testResults }) {
    const slowest = testResults
      .map(({ perfStats, testFilePath }) => [relative(this.rootDir, testFilePath), perfStats.runtime])
      .filter(([, ms]) => ms > 0)
      .sort(([, one], [, other]) => other - one);
    const lines = slowest.slice(0, SHOWN).map(([file, ms]) => `  ${seconds(ms)}  ${file}`);
    process.stderr.write(
      `\nThe run took ${seconds(Date.now() - startTime).trim()}; its slowest files:\n${lines.join('\n')}\n`,
    );
    if (process.env.RECORD_DURATIONS) record(slowest);
  }
}

/** Files that were not run keep their recorded durations. */
function record(slowest) {
  const recorded = JSON.parse(readFileSync(DURATIONS, 'utf8'));
  const ran = Object.fromEntries(slowest.map(([file, ms]) => [file, Math.round(ms / 1000)]));
  const long = Object.entries({ ...recorded, ...ran }).filter(([, taken]) => taken >= RECORDED_FROM_SECONDS);
  writeFileSync(DURATIONS, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
}

const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(6)} s`;
