import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { VERSION } from '../../src/config/version.js';
import { canRender, chartFile, defaultValues, rendered } from './chart.js';
import { troublesOf } from './manifest-rules.js';

const QUEUE = { metric: 'vaultline_deliveries_queued', perReplica: 2000 };

describe('the values of the Helm chart', () => {
  const schema = JSON.parse(readFileSync('deploy/helm/vaultline/values.schema.json', 'utf8'));
  const validate = new Ajv({ strict: false }).compile(schema);
  const changed = (change: (values: any) => void): any => {
    const values = defaultValues();
    change(values);
    return values;
  };

  it.each<[string, (values: any) => void]>([
    ['defaults', () => undefined],
    ['a contract that is off', (values) => (values.contracts.sandbox.enabled = false)],
    ['a scale of one contract', (values) => (values.contracts.partner.api = { replicas: 4 })],
    ['a queue to scale by', (values) => (values.worker.autoscaling.queueDepth = QUEUE)],
    [
      'a further setting',
      (values) => (values.contracts.partner.settings = { RATE_LIMIT_PER_MINUTE: '9000' }),
    ],
    ['proxies', (values) => (values.trustedProxies = '10.0.0.0/8,fd00::/8')],
  ])('pass with %s', (_, change) => {
    expect([validate(changed(change)), validate.errors]).toEqual([true, null]);
  });

  it.each<[string, (values: any) => void]>([
    ['a misspelt name', (values) => (values.imagee = {})],
    ['a misspelt name further in', (values) => (values.worker.autoscaling.maxReplica = 3)],
    ['a contract that there is not', (values) => (values.contracts.live = values.contracts.partner)],
    ['a contract without a secret', (values) => delete values.contracts.partner.secret],
    ['a secret in the open', (values) => (values.contracts.partner.settings = { SECRETS_KEY: 'x' })],
    [
      'a setting that is no text',
      (values) => (values.contracts.partner.settings = { DATABASE_MAX_BYTES: 5e10 }),
    ],
    ['a URL with a password', (values) => (values.contracts.partner.publicUrl = 'https://a:b@example.com')],
    ['a number as a text', (values) => (values.api.replicas = '2')],
    ['a grace shorter than the server takes', (values) => (values.stop.graceSeconds = 10)],
    ['everybody as a proxy by another word', (values) => (values.trustedProxies = 'all')],
    ['an amount that is none', (values) => (values.api.resources.limits.memory = '1 GB')],
  ])('are refused with %s', (_, change) => {
    expect(validate(changed(change))).toBe(false);
  });

  it('are of the version that this is', () => {
    expect(chartFile('Chart.yaml')).toMatchObject({ version: VERSION, appVersion: VERSION });
  });
});

const render = canRender();
if (!render)
  process.stderr.write(
    'The Helm chart is not rendered: there is no Go with sprig (Debian: golang-go, golang-github-masterminds-sprig-dev).\n',
  );

(render ? describe : describe.skip)('the manifests of the Helm chart', () => {
  let manifests: any[];
  beforeAll(() => {
    const values = defaultValues();
    values.worker.autoscaling.queueDepth = QUEUE;
    values.contracts.partner.publicUrl = 'https://api.example.com';
    values.contracts.partner.settings = { RATE_LIMIT_PER_MINUTE: '9000' };
    values.contracts.sandbox.worker = { replicas: 1, autoscaling: { enabled: false } };
    values.networkPolicy.scrapers = [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }];
    values.networkPolicy.database = [{ ipBlock: { cidr: '10.9.0.0/24' } }];
    values.traces.endpoint = 'http://collector:4318';
    values.tolerations = [{ key: 'spot', operator: 'Exists' }];
    manifests = rendered(values);
  }, 60_000);
  const of = (kind: string): any[] => manifests.filter((manifest) => manifest.kind === kind);
  const podsOf = (kind: string): any[] => of(kind).map(({ spec }) => spec.template.spec);
  const settingsOf = ({ containers }: any): any =>
    Object.fromEntries(
      containers[0].env.map(({ name, value, valueFrom }: any) => [name, value ?? valueFrom.secretKeyRef]),
    );

  it('are an API and a worker a contract, with what belongs to each, and nothing that Kubernetes refuses', () => {
    expect(manifests.flatMap(troublesOf)).toEqual([]);
    const names = (kind: string): string[] =>
      of(kind)
        .map(({ metadata }) => metadata.name)
        .sort();
    const roles = ['partner-api', 'partner-worker', 'sandbox-api', 'sandbox-worker'].map(
      (name) => `money-vaultline-${name}`,
    );
    expect(names('Deployment')).toEqual(roles);
    expect(names('PodDisruptionBudget')).toEqual(roles);
    expect(names('HorizontalPodAutoscaler')).toEqual(roles.slice(0, 3));
    expect(names('Service')).toEqual([roles[0], roles[2]]);
    expect(names('Job')).toEqual(['partner', 'sandbox'].map((name) => `money-vaultline-${name}-migration`));
  });

  it('have no names of which two are alike, and select the pods of one deployment each', () => {
    const ids = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { metadata, spec } of of('Deployment'))
      for (const other of of('Deployment').filter((one) => one.metadata.name !== metadata.name)) {
        const labels = other.spec.template.metadata.labels;
        expect(
          Object.entries(spec.selector.matchLabels).every(([label, value]) => labels[label] === value),
        ).toBe(false);
      }
  });

  it('run nothing as root, nothing that can write, and nothing with rights in the cluster', () => {
    for (const pod of [...podsOf('Deployment'), ...podsOf('Job')]) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.containers[0].resources).toMatchObject({
        requests: { memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    }
  });

  it('name secrets and hold none; the owner of the schemas is known to the migration alone', () => {
    const [api] = podsOf('Deployment').map(settingsOf);
    expect(api).toMatchObject({
      CONTRACT: 'partner',
      ROLE: 'api',
      PUBLIC_URL: 'https://api.example.com',
      RATE_LIMIT_PER_MINUTE: '9000',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      DATABASE_URL: { name: 'vaultline-partner', key: 'DATABASE_URL', optional: false },
      RPC_URL_BASE: { name: 'vaultline-partner', key: 'RPC_URL_BASE', optional: true },
    });
    for (const pod of podsOf('Deployment'))
      expect(settingsOf(pod)).not.toHaveProperty('DATABASE_MIGRATION_URL');
    for (const pod of podsOf('Job')) {
      expect(settingsOf(pod).DATABASE_MIGRATION_URL).toMatchObject({ optional: false });
      expect(pod.containers[0].command).toEqual(['vaultline', 'migrate']);
    }
  });

  it('ask the paths of health, and give a stop the time that it takes', () => {
    for (const { containers, terminationGracePeriodSeconds } of podsOf('Deployment')) {
      const [{ livenessProbe, readinessProbe, lifecycle }] = containers;
      expect([livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
        '/health/live',
        '/health/ready',
      ]);
      expect(terminationGracePeriodSeconds).toBe(Number(lifecycle.preStop.exec.command[1]) + 30);
    }
  });

  it('scale by CPU, the worker by its queue as well, and leave the replicas to that', () => {
    const [api, worker] = of('HorizontalPodAutoscaler').map(({ spec }) => spec);
    expect(api.metrics.map(({ type }: any) => type)).toEqual(['Resource']);
    expect(worker.metrics[1]).toEqual({
      type: 'External',
      external: {
        metric: { name: QUEUE.metric, selector: { matchLabels: { contract: 'partner' } } },
        target: { type: 'AverageValue', averageValue: '2000' },
      },
    });
    expect(of('Deployment').map(({ spec }) => spec.replicas)).toEqual([undefined, undefined, undefined, 1]);
  });

  it('let callers in to the API alone, and nobody out to private networks but to the database', () => {
    const policies = new Map(of('NetworkPolicy').map(({ metadata, spec }) => [metadata.name, spec]));
    const ports = (name: string): number[] =>
      policies.get(`money-vaultline-${name}`).ingress?.map((rule: any) => rule.ports[0].port) ?? [];
    expect(['partner-api', 'partner-worker', 'partner-migration'].map(ports)).toEqual([
      [3000, 9090],
      [9090],
      [],
    ]);
    const { egress } = policies.get('money-vaultline-partner-worker');
    expect(egress[1]).toEqual({
      to: [{ ipBlock: { cidr: '10.9.0.0/24' } }],
      ports: [{ port: 5432, protocol: 'TCP' }],
    });
    expect(egress[2].to[0].ipBlock.except).toContain('10.0.0.0/8');
    expect(policies.get('money-vaultline-partner-migration').egress).toHaveLength(2);
  });
});
