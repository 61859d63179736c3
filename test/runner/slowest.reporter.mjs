import { relative } from 'node:path';

const SHOWN = 10;

/** Says at the end how long the run took, and which files took longest. */
export default class SlowestReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { startTime, testResults }) {
    const slowest = testResults
      .filter(({ perfStats }) => perfStats.runtime > 0)
      .sort((one, other) => other.perfStats.runtime - one.perfStats.runtime)
      .slice(0, SHOWN);
    const lines = slowest.map(
      ({ perfStats, testFilePath }) =>
        `  ${seconds(perfStats.runtime)}  ${relative(this.rootDir, testFilePath)}`,
    );
    process.stderr.write(
      `\nThe run took ${seconds(Date.now() - startTime).trim()}; its slowest files:\n${lines.join('\n')}\n`,
    );
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(6)} s`;
