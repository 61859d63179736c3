// A module that a server preloads: by V8's precise coverage it reports which files of ours had a function called since it was asked the last time,
// and which of them before a deposit reached its first business rule.
import { Session } from 'node:inspector';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const dist = dirname(process.argv[1]);
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The callback is called before `post` returns. */
function called() {
  let found = [];
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    found = result
      .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
      .map(({ url, functions }) => ({ path: relative(dist, fileURLToPath(url)), functions }))
      .filter(
        ({ path, functions }) =>
          !path.startsWith('..') && functions.some(({ ranges }) => ranges[0].count > 0),
      )
      .map(({ path }) => path.replace(/\.js$/, '.ts'));
  });
  return found;
}

let before = [];
const rules = join(dist, 'domain/routing/transfers/deposit.service.js');
const { DepositService } = await import(pathToFileURL(rules).href);
const { deposit } = DepositService.prototype;
DepositService.prototype.deposit = function (...given) {
  before = called();
  return deposit.apply(this, given);
};

process.on('message', () => {
  const after = called();
  process.send({ before, all: [...new Set([...before, ...after])] });
  before = [];
});
