import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const CHART = 'deploy/helm/vaultline';
/** GOPATH with sprig, where Debian's golang-github-masterminds-sprig-dev installs it. */
const GO_PATH = '/usr/share/gocode';

export const chartFile = (name: string): any => parse(readFileSync(join(CHART, name), 'utf8'));
export const defaultValues = (): any => chartFile('values.yaml');

/** Whether Go and sprig are installed; without them no chart can be rendered. */
export const canRender = (): boolean =>
  existsSync(join(GO_PATH, 'src/github.com/Masterminds/sprig')) && spawnSync('go', ['version']).status === 0;

/** The manifests that the chart renders from the values. */
export function rendered(values: object): any[] {
  const { name, version, appVersion } = chartFile('Chart.yaml');
  const context = {
    Values: values,
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'money', Namespace: 'vaults', Service: 'Helm' },
  };
  const { status, stdout, stderr } = spawnSync('go', ['run', 'test/deploy/render-chart.go', CHART], {
    input: JSON.stringify(context),
    encoding: 'utf8',
    env: {
      ...process.env,
      GOPATH: GO_PATH,
      GO111MODULE: 'off',
      GOFLAGS: '',
      GOCACHE: join(tmpdir(), 'vaultline-go-cache'),
    },
  });
  if (status !== 0) throw new Error(`the chart was not rendered: ${stderr}`);
  return parseAllDocuments(stdout)
    .filter(({ contents }) => contents !== null)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS() as unknown;
    });
}
