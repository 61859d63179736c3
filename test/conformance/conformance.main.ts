import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { junitReport } from './junit.report.js';
import type { Contract } from './operations.js';
import { pageReport } from './page.report.js';
import { countOf, type Report } from './report.js';
import { rulesFor } from './rules.js';
import { NotRun, type Result, Session, told } from './session.js';

interface Options {
  url: string;
  contract: Contract;
  adminKey: string;
  report?: string;
  receiverHost?: string;
  deposits: boolean;
  only?: string[];
  seconds: number;
}

const PASSED = 0;
const FAILED = 1;
const NOT_RUN = 2;

const write = (line: string): void => void process.stdout.write(`${line}\n`);

function options(): Options {
  const seconds = (text: string): number => {
    if (!/^[1-9]\d{0,3}$/.test(text))
      throw new InvalidArgumentError('It must be a number of seconds, 1 to 9999.');
    return Number(text);
  };
  const command = new Command('npm run conformance --')
    .description('Asks of a running deployment whether it keeps the rules of its contract.')
    .requiredOption('--url <url>', 'where it is, such as http://127.0.0.1:3000')
    .addOption(
      new Option('--contract <contract>', 'which one it serves')
        .choices(['partner', 'sandbox'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--admin-key <key>', 'with the scopes keys:admin and partner:admin')
        .env('ADMIN_KEY')
        .makeOptionMandatory(),
    )
    .option('--report <folder>', 'write conformance.xml (JUnit) and conformance.html there')
    .option(
      '--receiver-host <host>',
      'by which name or address the deployment reaches this machine; default: 127.0.0.1 where it is on it',
    )
    .option('--no-deposits', 'deposit nothing: the rules that need a position are skipped')
    .option('--only <ids...>', 'rules, or beginnings of their ids, such as paging or keys.create')
    .option('--seconds <seconds>', 'how long it may take', seconds, 120)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? PASSED : NOT_RUN));
  return command.parse().opts<Options>();
}

/** The checkout's own, for a deployment that serves none. */
function publishedDocument(contract: Contract): unknown {
  const file = new URL(`../../docs/openapi/${contract}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function show(result: Result): void {
  if (result.outcome === 'pass') write(`pass     ${result.id}`);
  else if (result.outcome === 'skipped') write(`skipped  ${result.id}: ${result.why}`);
  else write(`FAIL     ${told(result).replaceAll('\n', '\n         ')}`);
}

async function run({ report: folder, only, ...asked }: Options): Promise<number> {
  const rules = rulesFor(asked.contract).filter(
    ({ id }) => !only || only.some((text) => id.startsWith(text)),
  );
  if (rules.length === 0) throw new NotRun(`No rule begins with ${only?.join(' or ')}.`);
  // A folder that cannot be written is known before a partner is made.
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const startedAt = new Date();
  const session = await Session.open({ ...asked, document: publishedDocument(asked.contract) });
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    session.interrupt();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  const reported = (leftovers: Report['leftovers']): Report => {
    const seconds = (Date.now() - startedAt.getTime()) / 1000;
    const { results, requests, name } = session;
    const report: Report = {
      ...asked,
      run: name,
      startedAt,
      seconds,
      requests,
      results,
      leftovers: leftovers,
    };
    if (folder !== undefined) {
      writeFileSync(join(folder, 'conformance.xml'), junitReport(report));
      writeFileSync(join(folder, 'conformance.html'), pageReport(report));
    }
    return report;
  };
  for (const rule of rules) show(await session.run(rule));
  let leftovers: string[];
  try {
    // Whatever becomes of the cleaning, what was found is kept.
    reported(null);
  } finally {
    leftovers = await session.close();
  }
  const report = reported(leftovers);
  for (const line of leftovers) write(`LEFT     ${line}`);
  const counts = (['pass', 'fail', 'skipped'] as const).map((outcome) => countOf(report, outcome));
  write(
    `${counts[0]} passed, ${counts[1]} failed, ${counts[2]} skipped: ${report.requests} requests in ${report.seconds.toFixed(1)} s${leftovers.length === 0 ? '' : `; ${leftovers.length} left behind, see LEFT`}.`,
  );
  if (interrupted) return NOT_RUN;
  return counts[1] === 0 && leftovers.length === 0 ? PASSED : FAILED;
}

try {
  process.exitCode = await run(options());
} catch (error) {
  process.stderr.write(`${error instanceof NotRun ? error.message : (error as Error).stack}\n`);
  process.exitCode = NOT_RUN;
}
