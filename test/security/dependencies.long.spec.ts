import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ENDS } from '../support/child-environment.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = 'a-package-of-this-test';
const ID = 'GHSA-aaaa-bbbb-cccc';
const ADVISORY = {
  id: 1,
  url: `https://github.com/advisories/${ID}`,
  title: 'It does what it should not',
  severity: 'high',
  vulnerable_versions: '<2.0.0',
  cwe: [],
  cvss: { score: 7.5 },
};

/** `npm run audit`, on a project with one package and against a registry with scripted answers. */
describe('the audit of dependencies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-audit-'));
  let registry: Server;
  let advisories: object[];
  let asked: string[];
  let silent: boolean;

  beforeAll(async () => {
    mkdirSync(join(folder, 'scripts'));
    for (const name of ['audit.mjs', 'child.mjs'])
      cpSync(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
    const locked = { [`node_modules/${PACKAGE}`]: { version: '1.0.0' } };
    const project = { name: 'audited', version: '1.0.0', dependencies: { [PACKAGE]: '^1.0.0' } };
    write('package.json', project);
    write('package-lock.json', {
      name: 'audited',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': project, ...locked },
    });
    registry = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume();
      response.setHeader('content-type', 'application/json');
      if (silent) return response.writeHead(405).end();
      if (request.url === '/-/npm/v1/security/advisories/bulk') {
        return response.end(JSON.stringify(advisories.length > 0 ? { [PACKAGE]: advisories } : {}));
      }
      const versions = { '1.0.0': { name: PACKAGE, version: '1.0.0' } };
      return response.end(JSON.stringify({ name: PACKAGE, versions, 'dist-tags': { latest: '1.0.0' } }));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    [advisories, asked, silent] = [[], [], false];
    allow({});
  });
  afterAll(async () => {
    registry.closeAllConnections();
    await new Promise((resolve) => registry.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (path: string, content: object): void =>
    writeFileSync(join(folder, path), JSON.stringify(content));
  const allow = (advisories: object): void => write('scripts/audit.allowed.json', advisories);
  const audit = (...options: string[]) => auditWith({}, ...options);
  const auditWith = async (
    env: Record<string, string>,
    ...options: string[]
  ): Promise<{ code: number | null; output: string }> => {
    const { port } = registry.address() as AddressInfo;
    const child: ChildProcess = spawn(process.execPath, [join(folder, 'scripts/audit.mjs'), ...options], {
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        npm_config_cache: join(folder, 'cache'),
        npm_config_registry: `http://127.0.0.1:${port}/`,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      ...ENDS,
    });
    let output = '';
    child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    return { code: child.exitCode, output };
  };

  it('The audit of dependencies passes without advisories', async () => {
    expect(await audit()).toEqual({
      code: 0,
      output: '0 advisories, 0 of them not argued in scripts/audit.allowed.json.\n',
    });
    expect(asked).toContain('POST /-/npm/v1/security/advisories/bulk');
  });

  it('The audit of dependencies fails for an advisory without an exception, and names it', async () => {
    advisories = [ADVISORY];
    const { code, output } = await audit();
    expect(code).toBe(1);
    expect(output).toContain(`HIGH ${PACKAGE}: It does what it should not, ${ID}\n`);
    expect(output).toContain('1 advisories, 1 of them not argued');
  });

  it('The audit of dependencies passes an advisory with an exception, until the exception expires', async () => {
    advisories = [ADVISORY];
    allow({ [ID]: { reason: 'That part of it is not used.', until: '9999-12-31' } });
    expect(await audit()).toMatchObject({ code: 0, output: expect.stringContaining('1 advisories, 0 of') });
    allow({ [ID]: { reason: 'That part of it is not used.', until: '2020-01-01' } });
    expect(await audit()).toMatchObject({
      code: 1,
      output: expect.stringContaining(`${ID} (was allowed until 2020-01-01)`),
    });
  });

  it('The audit of dependencies refuses an exception without a reason, and reports those no longer needed', async () => {
    allow({ [ID]: { reason: ' ', until: '9999-12-31' } });
    expect(await audit()).toMatchObject({ code: 1, output: expect.stringContaining(`${ID} needs a reason`) });
    allow({ [ID]: { reason: 'It was so once.', until: '9999-12-31' } });
    expect(await audit()).toMatchObject({
      code: 0,
      output: expect.stringContaining(`${ID} is allowed and no longer reported: remove it.`),
    });
  });

  it('The audit of dependencies fails if an audit is required, by option or setting, and the registry supports none', async () => {
    silent = true;
    const fails = { code: 1, output: expect.stringMatching(/NOT AUDITED[^]*so this fails/) };
    expect(await audit('--require')).toEqual(fails);
    expect(await auditWith({ AUDIT_REQUIRED: 'true' })).toEqual(fails);
    expect(await auditWith({ AUDIT_REQUIRED: '1' })).toEqual(fails);
    for (const AUDIT_REQUIRED of ['', 'false', '0'])
      expect(await auditWith({ AUDIT_REQUIRED })).toMatchObject({ code: 0 });
    expect(await auditWith({ AUDIT_REQUIRED: 'yes' })).toEqual({
      code: 1,
      output: 'AUDIT_REQUIRED is "yes"; it must be true or false.\n',
    });
  });
});

/** `npm run sbom`. */
describe('the bill of materials', () => {
  const document = JSON.parse(
    execFileSync(process.execPath, [join(ROOT, 'scripts/sbom.mjs')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      ...ENDS,
    }),
  );
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

  it('The bill of materials is a CycloneDX document about this project', () => {
    expect(document).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: expect.stringMatching(/^1\.\d$/),
      metadata: { component: { name: 'vaultline', type: 'application', version: packages[''].version } },
    });
    for (const component of document.components) {
      expect(component).toMatchObject({
        type: 'library',
        purl: expect.stringMatching(/^pkg:npm\//),
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      });
    }
  });

  it('The bill of materials lists what production needs, and neither tools, paths of the machine nor origins of packages', () => {
    const named = document.components.map((component: any) => component['bom-ref']);
    for (const name of Object.keys(packages[''].dependencies))
      expect(named).toContain(`${name}@${packages[`node_modules/${name}`].version}`);
    expect(named.some((name: string) => name.startsWith('qs@'))).toBe(true);
    expect(named.some((name: string) => name.startsWith('jest@'))).toBe(false);
    const refs = new Set([...named, document.metadata.component['bom-ref']]);
    for (const { ref, dependsOn } of document.dependencies)
      expect([ref, ...dependsOn].filter((name) => !refs.has(name))).toEqual([]);
    const text = JSON.stringify(document);
    expect(text).not.toContain(ROOT);
    expect(text).not.toMatch(/"(file:|\/)|node_modules|\.tgz|registry\./);
  });
});
