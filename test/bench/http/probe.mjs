// Preloaded by the servers that are compared: tells whoever started one what CPU time it has used, and how many statements it has sent.
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
