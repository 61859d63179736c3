// A module that the compared servers preload: it reports to the parent process the CPU time used and the number of statements sent.
import pg from 'pg';

let statements = 0;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (...given) {
  statements++;
  return query.apply(this, given);
};

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuMicros: user + system, statements });
});
