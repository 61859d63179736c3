// A module that the compared servers preload: it reports to the parent process the CPU time used and the number of statements sent;
// with BENCH_TURNS, also how long the event loop was late since the report before: a timer of its own costs the others a little.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';

const late = process.env.BENCH_TURNS ? monitorEventLoopDelay({ resolution: 1 }) : null;
late?.enable();

let statements = 0;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (...given) {
  statements++;
  return query.apply(this, given);
};

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const lateMs = late && [late.percentile(99), late.max].map((nanoseconds) => nanoseconds / 1e6);
  late?.reset();
  process.send({ cpuMicros: user + system, statements, lateMs });
});
