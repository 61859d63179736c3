import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { ENDS } from '../support/child-environment.js';

const CHART = 'deploy/helm/vaultline';
/** GOPATH with sprig, where Debian's golang-github-masterminds-sprig-dev installs it. */
const GO_PATH = '/usr/share/gocode';

export const chartFile = (name: string): any => parse(readFileSync(join(CHART, name), 'utf8'));
export const defaultValues = (): any => chartFile('values.yaml');

/** The text of all templates of the server. */
export const templates = (): string =>
  readdirSync(join(CHART, 'templates'))
    .filter((name) => name !== 'executor.yaml')
    .map((name) => readFileSync(join(CHART, 'templates', name), 'utf8'))
    .join('\n');

const canRender = (): boolean =>
  existsSync(join(GO_PATH, 'src/github.com/Masterminds/sprig')) &&
  spawnSync('go', ['version'], ENDS).status === 0;

/** A suite that renders the chart. Without Go and sprig it is skipped, with a message. */
export function whereRendered(name: string, suite: () => void): void {
  if (canRender()) return void describe(name, suite);
  process.stderr.write(
    `Skipped: ${name}. There is no Go with sprig here: install Debian's golang-go and golang-github-masterminds-sprig-dev.\n`,
  );
  describe.skip(name, suite);
}

let renderer: string | undefined;

function builtRenderer(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'vaultline-chart-')), 'render');
  const env = {
    GOPATH: GO_PATH,
    GO111MODULE: 'off',
    GOFLAGS: '',
    GOCACHE: join(tmpdir(), 'vaultline-go-cache'),
  };
  const options = { encoding: 'utf8', env: { ...process.env, ...env }, ...ENDS } as const;
  const { status, stderr } = spawnSync('go', ['build', '-o', path, 'test/deploy/render-chart.go'], options);
  if (status !== 0) throw new Error(`the renderer was not built: ${stderr}`);
  process.on('exit', () => rmSync(dirname(path), { recursive: true, force: true }));
  return path;
}

/**
 * The manifests that the chart renders from the values.
 * @throws Error with what `fail` says in a template
 */
export function rendered(values: object): any[] {
  const { name, version, appVersion } = chartFile('Chart.yaml');
  const context = {
    Values: values,
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'money', Namespace: 'vaults', Service: 'Helm' },
  };
  renderer ??= builtRenderer();
  const { status, stdout, stderr } = spawnSync(renderer, [CHART], {
    input: JSON.stringify(context),
    encoding: 'utf8',
    ...ENDS,
  });
  if (status !== 0) throw new Error(`the chart was not rendered: ${stderr}`);
  return parseAllDocuments(stdout)
    .filter(({ contents }) => contents !== null)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS() as unknown;
    });
}
