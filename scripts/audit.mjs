// Asks the registry what is known of the packages that run in production, and fails for whatever is not argued in audit.allowed.json. Where there is no
// registry to ask (a pipeline without a network, a mirror without audits), that is said in a box and is no failure, or every build there would be red for
// nothing that changed; AUDIT_REQUIRED=true or --require makes it one. A pipeline that releases should set it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './child.mjs';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const BOX = 78;
const required = process.argv.includes('--require') || isRequired(process.env.AUDIT_REQUIRED ?? '');

const allowed = allowedAdvisories(join(project, 'scripts', 'audit.allowed.json'));
const { report, refusal } = await audit();
if (refusal !== undefined) {
  box([
    'NOT AUDITED',
    `The registry does not answer audits (${refusal}).`,
    'Nothing is known of the packages that production runs.',
    required
      ? 'An audit is required here (AUDIT_REQUIRED, --require), so this fails.'
      : 'This passes, as no audit is required. AUDIT_REQUIRED=true makes it fail.',
  ]);
  process.exit(required ? 1 : 0);
}
const advisoryList = advisories(report);
const today = new Date().toISOString().slice(0, 10);
const open = advisoryList.filter(({ id }) => !(id in allowed) || allowed[id].until < today);
for (const { id, severity, name, title } of open) {
  const over = id in allowed ? ` (was allowed until ${allowed[id].until})` : '';
  say(`${severity.toUpperCase()} ${name}: ${title}, ${id}${over}`);
}
for (const id of Object.keys(allowed)) {
  if (!advisoryList.some((advisory) => advisory.id === id))
    say(`${id} is allowed and no longer reported: remove it.`);
}
say(`${advisoryList.length} advisories, ${open.length} of them not argued in scripts/audit.allowed.json.`);
process.exit(open.length > 0 ? 1 : 0);

/** What npm says, or why it could not ask: a status or a code, without the address that was asked. It exits with 1 for findings as for failures. */
async function audit() {
  const options = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=30000'];
  const { stdout } = await run('npm', options, {
    what: 'npm audit',
    seconds: 120,
    cwd: project,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const report = JSON.parse(stdout);
    if (report.vulnerabilities !== undefined) return { report };
    return { refusal: String(report.statusCode ?? report.error?.code ?? 'no reason given') };
  } catch {
    return { refusal: 'npm said nothing that can be read' };
  }
}

/** Each advisory once. Packages that are affected only by what they depend on name those, not the advisory. */
function advisories({ vulnerabilities }) {
  const each = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((via) => typeof via === 'object')
    .map(({ url, source, severity, name, title }) => ({
      id: /GHSA(-\w{4}){3}/.exec(url ?? '')?.[0] ?? String(source),
      ...{ severity, name, title },
    }));
  return [...new Map(each.map((advisory) => [advisory.id, advisory])).values()];
}

/** By advisory: why it does not concern us, and until when (a date) that was thought through. */
function allowedAdvisories(path) {
  const entries = Object.entries(JSON.parse(readFileSync(path, 'utf8')));
  for (const [id, entry] of entries) {
    const { reason, until } = entry ?? {};
    if (!reason?.trim() || !/^\d{4}-\d\d-\d\d$/.test(until ?? '')) {
      say(`${path}: ${id} needs a reason and until, a date such as 2026-12-31.`);
      process.exit(1);
    }
  }
  return Object.fromEntries(entries);
}

/** @param setting an empty one counts as absent, as everywhere */
function isRequired(setting) {
  const value = { '': false, true: true, 1: true, false: false, 0: false }[setting.toLowerCase()];
  if (value !== undefined) return value;
  say(`AUDIT_REQUIRED is ${JSON.stringify(setting)}; it must be true or false.`);
  process.exit(1);
}

function box(lines) {
  const edge = '*'.repeat(BOX);
  const rows = ['', ...lines, ''].map((line) => `*  ${line.padEnd(BOX - 6)}  *`);
  say(['', edge, ...rows, edge, ''].join('\n'));
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
