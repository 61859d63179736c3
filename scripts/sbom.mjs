// Prints what production is made of, as a CycloneDX document, from the lockfile alone: neither a network nor what happens to be installed plays a
// part. npm is not told to omit development packages, because it then also omits every package that one of them needs too, express for one.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { name, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const options = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const { status, stdout, stderr } = spawnSync('npm', options, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}
const document = JSON.parse(stdout);
// npm takes the folder's name for the project's.
document.metadata.component.name = name;
const kept = new Set([document.metadata.component['bom-ref'], ...productionPackages()]);
document.components = document.components.filter((component) => kept.has(component['bom-ref']));
document.dependencies = document.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => kept.has(needed)) }));
// Where a package was fetched from depends on who made the lockfile.
for (const component of document.components) {
  component.externalReferences = component.externalReferences.filter(({ type }) => type !== 'distribution');
}
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);

/** `name@version` of each. Workspaces are built into the image, or no part of it. */
function productionPackages() {
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`);
}
