import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { SETTING_NAMES } from '../../src/config/read-environment.js';
import { VERSION } from '../../src/config/version.js';
import { chartFile, defaultValues, rendered, templates, whereRendered } from './chart.js';

const COLLECTOR = { to: [{ podSelector: {} }], ports: [{ port: 4318, protocol: 'TCP' }] };
const QUEUE = { metric: 'vaultline_deliveries_queued', perReplica: 2000 };

const turnedOff = (values: any): void => {
  for (const contract of ['partner', 'sandbox']) values.contracts[contract].enabled = false;
};

/** Settings that the chart neither sets nor takes: they say what others say, or have no effect in a pod. */
const LEFT_OUT = [
  'HOST',
  'PARTNER_PORT',
  'SANDBOX_PORT',
  'DATA_DIR',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'NODE_ENV',
];

/** Variables of the chart that OpenTelemetry's SDK reads itself. */
const OF_THE_SDK = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
];

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
    ['a queue to scale by', (values) => (values.worker.autoscaling.queueDepth = QUEUE)],
    [
      'a further setting',
      (values) => (values.contracts.partner.settings = { RATE_LIMIT_PER_MINUTE: '9000' }),
    ],
    ['proxies', (values) => (values.trustedProxies = '10.0.0.0/8,fd00::/8')],
  ])('The values of the Helm chart pass with %s', (_, change) => {
    expect([validate(changed(change)), validate.errors]).toEqual([true, null]);
  });

  it.each<[string, (values: any) => void]>([
    ['a misspelt name', (values) => (values.imagee = {})],
    ['a contract that there is not', (values) => (values.contracts.live = values.contracts.partner)],
    ['a contract without a secret', (values) => delete values.contracts.partner.secret],
    ['a secret in the open', (values) => (values.contracts.partner.settings = { SECRETS_KEY: 'x' })],
    ['a URL with a password', (values) => (values.contracts.partner.publicUrl = 'https://a:b@example.com')],
    ['a grace shorter than the server takes', (values) => (values.stop.graceSeconds = 10)],
    ['everybody as a proxy by another word', (values) => (values.trustedProxies = 'all')],
    ['contracts that are all off', turnedOff],
    [
      'a setting that is misspelt',
      (values) => (values.contracts.partner.settings = { RATE_LIMIT_PER_MINTUE: '9000' }),
    ],
    [
      'a name of the traces that the chart sets itself',
      (values) => (values.contracts.partner.settings = { OTEL_SERVICE_NAME: 'money' }),
    ],
    ['no port of the database', (values) => (values.networkPolicy.databasePorts = [])],
    ['an amount that is none', (values) => (values.api.resources.limits.memory = '1 GB')],
  ])('The values of the Helm chart are refused with %s', (_, change) => {
    expect(validate(changed(change))).toBe(false);
  });

  it('The values of the Helm chart accept each setting of the program that the chart does not set, and no other', () => {
    const { enum: taken } = schema.definitions.contract.properties.settings.propertyNames;
    const set = [...templates().matchAll(/name: ([A-Z][A-Z_]+),|"([A-Z][A-Z_]+)"/g)].map(
      ([, plain, listed]) => plain ?? listed!,
    );
    expect(set).toContain('OTEL_SERVICE_NAME');
    expect(set).toContain('RPC_URL_ETHEREUM');
    const chartSettings = new Set([...taken, ...set, ...LEFT_OUT]);
    for (const name of OF_THE_SDK) expect(chartSettings.delete(name)).toBe(true);
    expect(taken.filter((name: string) => set.includes(name))).toEqual([]);
    // A pod has its secrets as variables of a Secret.
    const names = SETTING_NAMES.filter((name) => !name.endsWith('_FILE'));
    expect([...chartSettings].sort()).toEqual(names.sort());
  });

  it('The values of the Helm chart have the version of the package', () => {
    expect(chartFile('Chart.yaml')).toMatchObject({ version: VERSION, appVersion: VERSION });
  });
});

whereRendered('the manifests of the Helm chart', () => {
  let manifests: any[];
  beforeAll(() => {
    const values = defaultValues();
    values.worker.autoscaling.queueDepth = QUEUE;
    values.contracts.partner.publicUrl = 'https://api.example.com';
    values.contracts.partner.configMap = 'our-vaults';
    values.contracts.partner.settings = { RATE_LIMIT_PER_MINUTE: '9000' };
    values.contracts.sandbox.worker = { replicas: 1, autoscaling: { enabled: false } };
    values.networkPolicy.scrapers = [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }];
    values.networkPolicy.database = [{ ipBlock: { cidr: '10.9.0.0/24' } }];
    values.networkPolicy.databasePorts = [5432, 6432];
    values.networkPolicy.furtherEgress = [COLLECTOR];
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

  it('The Helm chart renders an API and a worker for each contract', () => {
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

  it('The pods read the catalogue of vaults from a ConfigMap where one is named', () => {
    const path = 'partner.yaml';
    const mounted = [{ name: 'config', mountPath: `/app/config/${path}`, subPath: path, readOnly: true }];
    for (const { metadata, spec } of [...of('Deployment'), ...of('Job')]) {
      const { containers, volumes } = spec.template.spec;
      const isNamed = metadata.name.includes('-partner-');
      expect(volumes).toEqual(isNamed ? [{ name: 'config', configMap: { name: 'our-vaults' } }] : undefined);
      expect(containers[0].volumeMounts).toEqual(isNamed ? mounted : undefined);
    }
  });

  it('The pods have probes of the health paths, and a grace period for a stop', () => {
    for (const { containers, terminationGracePeriodSeconds } of podsOf('Deployment')) {
      const [{ startupProbe, livenessProbe, readinessProbe, lifecycle }] = containers;
      const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
      expect(paths).toEqual(['/health/live', '/health/live', '/health/ready']);
      expect(terminationGracePeriodSeconds).toBe(Number(lifecycle.preStop.exec.command[1]) + 30);
    }
  });

  it('The deployments scale by CPU, and the worker by its queue as well, without a fixed number; one pod at a time is evicted', () => {
    const [api, worker] = of('HorizontalPodAutoscaler').map(({ spec }) => spec);
    expect(api.metrics).toMatchObject([{ type: 'Resource', resource: { name: 'cpu' } }]);
    expect(worker.metrics).toHaveLength(2);
    expect(worker.metrics[1].external).toEqual({
      metric: { name: QUEUE.metric, selector: { matchLabels: { contract: 'partner' } } },
      target: { type: 'AverageValue', averageValue: '2000' },
    });
    expect(of('Deployment').map(({ spec }) => spec.replicas)).toEqual([undefined, undefined, undefined, 1]);
    for (const [index, { spec }] of of('PodDisruptionBudget').entries())
      expect(spec).toEqual({ maxUnavailable: 1, selector: of('Deployment')[index].spec.selector });
  });

  it('The pods run without root, with a read-only root file system, and without rights in the cluster', () => {
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

  it('The manifests refer to secrets and contain none; only the migration has the owner’s credentials', () => {
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

  it('The network policies admit callers to the API alone, and allow egress to private networks for the database alone', () => {
    const policies = new Map(of('NetworkPolicy').map(({ metadata, spec }) => [metadata.name, spec]));
    const ports = (name: string): number[] =>
      policies.get(`money-vaultline-${name}`).ingress?.map((rule: any) => rule.ports[0].port) ?? [];
    expect(['partner-api', 'partner-worker', 'partner-migration'].map(ports)).toEqual([
      [3000, 9090],
      [9090],
      [],
    ]);
    const egressOf = (name: string): any[] => policies.get(`money-vaultline-${name}`).egress;
    const database = {
      to: [{ ipBlock: { cidr: '10.9.0.0/24' } }],
      ports: [
        { port: 5432, protocol: 'TCP' },
        { port: 6432, protocol: 'TCP' },
      ],
    };
    const [, first, internet, ...further] = egressOf('partner-worker');
    expect(first).toEqual(database);
    expect(internet.to[0].ipBlock.except).toContain('10.0.0.0/8');
    expect(further).toEqual([COLLECTOR]);
    // The migration connects to the pooler as well, and to nothing on the internet.
    expect(egressOf('partner-migration').slice(1)).toEqual([database, COLLECTOR]);
  });

  it('The Helm chart renders an Ingress for each contract if enabled, with the limits that the service leaves to the proxy', () => {
    const values = defaultValues();
    values.ingress.enabled = true;
    expect(() => rendered(values)).toThrow('ingress.enabled needs contracts.partner.publicUrl');
    values.contracts.partner.publicUrl = 'https://api.vaultline.example/base';
    values.contracts.sandbox.enabled = false;
    const all = rendered(values);
    const [ingress, ...others] = all.filter(({ kind }) => kind === 'Ingress');
    expect(others).toEqual([]);
    expect(ingress.metadata.annotations).toEqual(values.ingress.annotations);
    expect(ingress.spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['api.vaultline.example'], secretName: 'money-vaultline-partner-api-tls' }],
      rules: [
        {
          host: 'api.vaultline.example',
          http: {
            paths: [
              { backend: { service: { name: 'money-vaultline-partner-api', port: { name: 'http' } } } },
            ],
          },
        },
      ],
    });
  });

  it('The Helm chart renders a ServiceMonitor for each contract and the alert rules if the Prometheus operator is enabled', () => {
    expect(of('ServiceMonitor')).toEqual([]);
    const values = defaultValues();
    values.monitoring = { enabled: true, labels: { release: 'prometheus' }, interval: '15s' };
    const all = rendered(values);
    const [monitor, other, ...more] = all.filter(({ kind }) => kind === 'ServiceMonitor');
    expect([other.metadata.name, more]).toEqual(['money-vaultline-sandbox-metrics', []]);
    expect(monitor.metadata.labels).toMatchObject({ release: 'prometheus' });
    expect(monitor.spec.endpoints[0].relabelings[0]).toEqual({
      targetLabel: 'job',
      replacement: 'vaultline-partner',
    });
    const service = all.find(
      ({ kind, metadata }) => kind === 'Service' && metadata.name === monitor.metadata.name,
    );
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    const pods = all.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template);
    const reached = pods.filter(({ metadata }) =>
      Object.entries(service.spec.selector).every(([label, value]) => metadata.labels[label] === value),
    );
    expect(reached.map(({ metadata }) => metadata.labels['vaultline/contract'])).toEqual([
      'partner',
      'partner',
    ]);
    expect(reached[0].spec.containers[0].ports).toContainEqual({ name: 'metrics', containerPort: 9090 });
    const rule = all.find(({ kind }) => kind === 'PrometheusRule');
    expect(rule.spec).toEqual(parse(readFileSync('deploy/helm/vaultline/alerts.yaml', 'utf8')));
  });

  it('Values that allow fewer replicas than the chart needs are refused', () => {
    const values = defaultValues();
    values.contracts.partner.api = { autoscaling: { minReplicas: 7 } };
    expect(() => rendered(values)).toThrow(
      'autoscaling of partner api: minReplicas is 7; it must be at most maxReplicas, which is 6',
    );
    values.contracts.partner.api.autoscaling.enabled = false;
    expect(() => rendered(values)).not.toThrow();
  });
});
