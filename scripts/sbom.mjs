// Prints what production is made of, as a CycloneDX document, from the lockfile alone: neither a network nor what happens to be installed plays a
// part. npm is not told to omit development packages, because it then also omits every package that one of them needs too, express for one.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './child.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { name, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const options = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const { status, stdout, stderr } = await run('npm', options, {
  what: 'npm sbom',
  seconds: 120,
  cwd: root,
  stdio: ['ignore', 'pipe', 'pipe'],
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

/** `name@version` of each that the project itself needs, and what those need in turn. Workspaces are built into the image, or no part of it: what they alone need is not. */
function productionPackages() {
  const paths = new Set();
  const waiting = [''];
  for (const path of waiting) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path];
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const installed = installedFor(path, needed);
      if (installed === null || paths.has(installed)) continue;
      paths.add(installed);
      waiting.push(installed);
    }
  }
  return [...paths].map(
    (path) => `${packages[path].name ?? path.split('node_modules/').at(-1)}@${packages[path].version}`,
  );
}

/** Where a package finds another one: in its own folder, or else in that of the nearest that is above it; null: it is not installed. */
function installedFor(path, needed) {
  for (
    let folder = path;
    ;
    folder = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '')
  ) {
    const installed = `${folder === '' ? '' : `${folder}/`}node_modules/${needed}`;
    if (packages[installed]) return installed;
    if (folder === '') return null;
  }
}
