// Formatting, lint, types and the OpenAPI documents, as many at once as there are cores; each says what it says when it has ended.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';

/** Scripts of package.json, the longest first. */
const SCRIPTS = ['lint', 'format:check', 'typecheck', 'lint:openapi'];

const waiting = [...SCRIPTS];

async function work() {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    const begun = Date.now();
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, complaints, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    const took = `${((Date.now() - begun) / 1000).toFixed(1)} s`;
    if (status === 0) process.stderr.write(`${script}: ${took}\n`);
    else {
      process.stderr.write(`${script}: failed after ${took}\n${out}${complaints}`);
      process.exitCode = 1;
    }
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
