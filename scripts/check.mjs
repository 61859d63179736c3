// Formatting, lint, types and the OpenAPI documents, as many at once as there are cores; each says what it says when it has ended.
import { availableParallelism } from 'node:os';
import { run } from './child.mjs';

/** Scripts of package.json, the longest first. */
const SCRIPTS = ['lint', 'format:check', 'typecheck', 'lint:openapi'];

const waiting = [...SCRIPTS];

async function work() {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    const begun = Date.now();
    const { status, stdout, stderr } = await run('npm', ['run', '--silent', script], {
      what: `npm run ${script}`,
      seconds: 1_800,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const took = `${((Date.now() - begun) / 1000).toFixed(1)} s`;
    if (status === 0) process.stderr.write(`${script}: ${took}\n`);
    else {
      process.stderr.write(`${script}: failed after ${took}\n${stdout}${stderr}`);
      process.exitCode = 1;
    }
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
