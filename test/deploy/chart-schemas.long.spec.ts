import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { defaultValues, rendered, whereRendered } from './chart.js';

const FOLDER = resolve('deploy/helm/schemas');
const OPERATOR = '@kubernetes-models/prometheus-operator';
const require = createRequire(`${FOLDER}/package.json`);

const SETS: [string, (values: any) => void][] = [
  ['the defaults', () => undefined],
  [
    'one contract at a fixed scale, without policies and hooks',
    (values) => {
      values.contracts.sandbox.enabled = false;
      values.networkPolicy.enabled = values.migration.enabled = false;
      for (const role of ['api', 'worker']) values[role].autoscaling.enabled = false;
      values.service = { type: 'NodePort', port: 8080, annotations: { team: 'money' } };
    },
  ],
  [
    'an Ingress, the operator of Prometheus and traces',
    (values) => {
      for (const contract of ['partner', 'sandbox'])
        values.contracts[contract].publicUrl = `https://${contract}.example.com`;
      values.ingress.enabled = true;
      values.monitoring = { enabled: true, labels: { release: 'prometheus' }, interval: '15s' };
      values.networkPolicy.scrapers = [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }];
      values.traces.endpoint = 'http://collector:4318';
    },
  ],
  [
    'an executor',
    (values) => {
      values.executor.enabled = values.monitoring.enabled = true;
      values.executor.journal.storageClass = 'fast';
      values.executor.furtherEgress = [
        { to: [{ ipBlock: { cidr: '10.9.0.7/32' } }], ports: [{ port: 8550 }] },
      ];
      values.networkPolicy.scrapers = [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }];
    },
  ],
  [
    'a pooler, a queue to scale by, and places of pods',
    (values) => {
      values.worker.autoscaling.queueDepth = { metric: 'vaultline_deliveries_queued', perReplica: 2000 };
      values.networkPolicy.databasePorts = [5432, 6432];
      values.networkPolicy.database = [{ ipBlock: { cidr: '10.9.0.0/24' } }];
      values.networkPolicy.furtherEgress = [{ to: [{ podSelector: {} }], ports: [{ port: 4318 }] }];
      values.tolerations = [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }];
      values.nodeSelector = { disk: 'ssd' };
      values.image.pullSecrets = ['registry'];
      values.podAnnotations = { 'example.com/team': 'money' };
    },
  ],
];

const moduleOf = ({ apiVersion }: any): string =>
  `${apiVersion.startsWith('monitoring.') ? OPERATOR : 'kubernetes-models'}/${apiVersion}`;

/** What the published schema of its kind refuses in a manifest. */
function refusedOf(manifest: any): string[] {
  try {
    new (require(moduleOf(manifest))[manifest.kind])(manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`];
  }
}

/** Fields that are in no schema, which the API server refuses and a validation leaves: the compiler finds them by the schemas' types. */
function unknownIn(manifests: readonly any[]): string[] {
  const name = `${FOLDER}/manifests.ts`;
  const text = manifests
    .map((manifest, index) => {
      const type = `import('${moduleOf(manifest)}/${manifest.kind}').I${manifest.kind}`;
      return `export const m${index}: ${type} = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...more) =>
    file === name ? ts.createSourceFile(file, text, ts.ScriptTarget.ESNext) : read(file, ...more);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const hasSchemas = existsSync(`${FOLDER}/node_modules`);
if (!hasSchemas)
  process.stderr.write(
    'Skipped: the chart is not compared with the schemas of Kubernetes. npm ci --prefix deploy/helm/schemas brings them.\n',
  );

(hasSchemas ? whereRendered : describe.skip)('the manifests, by the published schemas', () => {
  it.each(SETS)(
    'The resources of the Helm chart are valid for %s',
    (_, change) => {
      const values = defaultValues();
      change(values);
      const manifests = rendered(values);
      expect(manifests.length).toBeGreaterThanOrEqual(5);
      expect(manifests.flatMap(refusedOf)).toEqual([]);
      expect(unknownIn(manifests)).toEqual([]);
    },
    120_000,
  );
});
