// Asks the registry what is known of the packages that run in production, and fails for whatever is not argued in audit.allowed.json. Where there is no
// registry to ask (a pipeline without a network, a mirror without audits), that is said loudly and is no failure, or every build there would be red for
// nothing that changed; --require makes it one.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const required = process.argv.includes('--require');

const allowed = allowedAdvisories(join(project, 'scripts', 'audit.allowed.json'));
const report = audit();
if (report === null) {
  say('NOT AUDITED: the registry does not answer audits. Nothing is known of what production runs.');
  process.exit(required ? 1 : 0);
}
const found = advisories(report);
const today = new Date().toISOString().slice(0, 10);
const open = found.filter(({ id }) => !(id in allowed) || allowed[id].until < today);
for (const { id, severity, name, title } of open) {
  const over = id in allowed ? ` (was allowed until ${allowed[id].until})` : '';
  say(`${severity.toUpperCase()} ${name}: ${title}, ${id}${over}`);
}
for (const id of Object.keys(allowed)) {
  if (!found.some((advisory) => advisory.id === id))
    say(`${id} is allowed and no longer reported: remove it.`);
}
say(`${found.length} advisories, ${open.length} of them not argued in scripts/audit.allowed.json.`);
process.exit(open.length > 0 ? 1 : 0);

/** What npm says; null where it could not ask. It exits with 1 for findings as for failures. */
function audit() {
  const options = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=30000'];
  const { stdout } = spawnSync('npm', options, { cwd: project, encoding: 'utf8' });
  try {
    const report = JSON.parse(stdout);
    return report.vulnerabilities === undefined ? null : report;
  } catch {
    return null;
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

function say(line) {
  process.stdout.write(`${line}\n`);
}
