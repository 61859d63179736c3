import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { readSettings, SETTING_NAMES } from '../../executor/src/settings.js';
import { emptyFolder } from '../support/configuration.js';
import { defaultValues, rendered, whereRendered } from './chart.js';

const NAME = 'money-vaultline-executor';
const FILES = '/etc/executor';
const SIGNER = { to: [{ ipBlock: { cidr: '10.9.0.7/32' } }], ports: [{ port: 8550, protocol: 'TCP' }] };
const SCRAPERS = [{ namespaceSelector: { matchLabels: { team: 'monitoring' } } }];
const CONTENT: Record<string, string> = {
  VAULTLINE_API_KEY: 'vl_live_1',
  DEPOSITS_API_KEY: 'vl_live_2',
  PARTNER_API_KEYS: 'vl_live_3,vl_live_4',
  KEYSTORE_PASSWORD: 'secret words',
  SIGNER_URL: 'http://10.9.0.7:8550',
};
/** What Kubernetes adds to each container. */
const OF_KUBERNETES = {
  HOSTNAME: `${NAME}-0`,
  KUBERNETES_PORT: 'tcp://10.0.0.1:443',
  KUBERNETES_PORT_443_TCP: 'tcp://10.0.0.1:443',
  KUBERNETES_PORT_443_TCP_ADDR: '10.0.0.1',
  KUBERNETES_SERVICE_HOST: '10.0.0.1',
  KUBERNETES_SERVICE_PORT: '443',
};

const valuesWith = (change: (executor: any, values: any) => void): any => {
  const values = defaultValues();
  values.executor.enabled = true;
  change(values.executor, values);
  return values;
};
const everything = (executor: any, values: any): void => {
  executor.chains = ['ethereum', 'arbitrum', 'base', 'plasma'];
  executor.depositsKey = true;
  executor.settings = { POLL_MS: '9000' };
  executor.furtherEgress = [SIGNER];
  values.networkPolicy.scrapers = SCRAPERS;
  values.networkPolicy.callers = [{ podSelector: { matchLabels: { app: 'gateway' } } }];
  values.networkPolicy.furtherEgress = [{ to: [{ podSelector: {} }], ports: [{ port: 4318 }] }];
  values.monitoring.enabled = true;
};
const remote = (executor: any): void => {
  executor.keystoreSecret = '';
  executor.settings = { SIGNER_METHOD: 'eth_sendTransaction' };
};
const environmentOf = ({ spec }: any): Record<string, string> =>
  Object.fromEntries(spec.template.spec.containers[0].env.map(({ name, value }: any) => [name, value]));
const sourcesOf = ({ spec }: any): any[] =>
  spec.template.spec.volumes.find(({ name }: any) => name === 'etc').projected.sources;

describe('the values of the executor in the Helm chart', () => {
  const schema = JSON.parse(readFileSync('deploy/helm/vaultline/values.schema.json', 'utf8'));
  const validate = new Ajv({ strict: false }).compile(schema);

  it.each([
    ['the defaults', () => undefined],
    ['everything set', everything],
    ['a remote signer', remote],
  ])('The values of the executor pass with %s', (_, change) => {
    expect([validate(valuesWith(change)), validate.errors]).toEqual([true, null]);
  });

  it.each<[string, (executor: any) => void]>([
    ['a second pod', (executor) => (executor.replicas = 2)],
    ['a misspelt name', (executor) => (executor.keystoreSecrets = 'x')],
    ['a misspelt setting', (executor) => (executor.settings = { POL_MS: '9000' })],
    ['a number that is not in quotes', (executor) => (executor.settings = { POLL_MS: 9000 })],
    ['a secret in the open', (executor) => (executor.settings = { KEYSTORE_PASSWORD: 'x' })],
    ['a raw key', (executor) => (executor.settings = { INSECURE_RAW_KEY_FOR_TESTS: 'x' })],
    ['a URL with a password', (executor) => (executor.url = 'https://a:b@example.com')],
    ['a chain that is not served', (executor) => (executor.chains = ['solana'])],
    ['no chain', (executor) => (executor.chains = [])],
    ['no allowlist', (executor) => (executor.configMap = '')],
    ['no API key', (executor) => (executor.secret = '')],
    ['a journal that several nodes may mount', (executor) => (executor.journal.accessMode = 'ReadWriteMany')],
    ['a journal without a size', (executor) => delete executor.journal.size],
  ])('The values of the executor are refused with %s', (_, change) => {
    expect(validate(valuesWith(change))).toBe(false);
  });
});

whereRendered('the executor in the Helm chart', () => {
  let manifests: any[];
  let set: any;
  beforeAll(() => {
    manifests = rendered(valuesWith(everything));
    set = named('StatefulSet', NAME);
  }, 60_000);
  const named = (kind: string, name: string): any =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

  it('The executor is off by default', () => {
    expect(JSON.stringify(rendered(defaultValues()))).not.toContain('executor');
  });

  it('The executor is one pod that is replaced in place, with a claim for its journal', () => {
    expect(set.spec).toMatchObject({ replicas: 1, serviceName: NAME, podManagementPolicy: 'Parallel' });
    const [claim, ...others] = set.spec.volumeClaimTemplates;
    expect(others).toEqual([]);
    expect(claim.spec).toEqual({
      accessModes: ['ReadWriteOncePod'],
      resources: { requests: { storage: '1Gi' } },
    });
    const [{ volumeMounts }] = set.spec.template.spec.containers;
    expect(volumeMounts).toContainEqual({ name: claim.metadata.name, mountPath: '/data' });
    const ofExecutor = manifests.filter(({ metadata }) => metadata.name.includes('executor'));
    expect(ofExecutor.map(({ kind }) => kind).sort()).toEqual([
      'NetworkPolicy',
      'Service',
      'ServiceMonitor',
      'StatefulSet',
    ]);
  });

  it.each([
    ['a keystore', everything],
    ['a remote signer', remote],
  ])('The executor accepts its settings and finds each file, with %s', (_, change) => {
    const [executor] = rendered(valuesWith(change)).filter(({ kind }) => kind === 'StatefulSet');
    const files = emptyFolder();
    const items = sourcesOf(executor).flatMap(({ configMap, secret }) => (configMap ?? secret).items);
    for (const { key, path } of items)
      writeFileSync(join(files, path), CONTENT[key] ?? `https://${key}.example.com`);
    const environment = Object.fromEntries(
      Object.entries(environmentOf(executor)).map(([name, value]) => [name, value.replace(FILES, files)]),
    );
    const settings = readSettings({ ...OF_KUBERNETES, ...environment });
    expect(settings).toMatchObject({
      VAULTLINE_URL: 'http://money-vaultline-partner-api:80',
      PARTNER_API_KEYS: ['vl_live_3', 'vl_live_4'],
      JOURNAL: '/data/executor.db',
      PORT: 3300,
      ...(change === remote
        ? { SIGNER_URL: CONTENT['SIGNER_URL'], SIGNER_METHOD: 'eth_sendTransaction' }
        : { DEPOSITS_API_KEY: 'vl_live_2', KEYSTORE_PASSWORD: 'secret words', POLL_MS: 9000 }),
    });
    // Each mounted file is read by a setting that names it, and no other.
    const paths = Object.values(environment).filter((value) => value.startsWith(files));
    expect(paths.sort()).toEqual(items.map(({ path }: any) => join(files, path)).sort());
  });

  it('The executor takes each of its settings from the chart, but the raw key', () => {
    const schema = JSON.parse(readFileSync('deploy/helm/vaultline/values.schema.json', 'utf8'));
    const { enum: taken } = schema.properties.executor.properties.settings.propertyNames;
    const environment = { ...environmentOf(set), SIGNER_URL_FILE: '' } as Record<string, string>;
    const names = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    const all = new Set<string>([...names, ...taken, 'INSECURE_RAW_KEY_FOR_TESTS']);
    expect([...all].sort()).toEqual([...SETTING_NAMES].sort());
  });

  it('The executor has its secrets as files of existing Secrets, and its allowlist from a ConfigMap', () => {
    expect(sourcesOf(set).map(({ configMap, secret }) => configMap?.name ?? secret.name)).toEqual([
      'vaultline-executor',
      'vaultline-executor',
      'vaultline-executor-keystore',
    ]);
    expect(manifests.filter(({ kind }) => kind === 'Secret' || kind === 'ConfigMap')).toEqual([]);
    const entries = set.spec.template.spec.containers[0].env;
    expect(entries.filter(({ valueFrom }: any) => valueFrom !== undefined)).toEqual([]);
  });

  it('The executor runs without root, with a read-only root file system, and without rights in the cluster', () => {
    const pod = set.spec.template.spec;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(pod.containers).toHaveLength(1);
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.volumes[0].projected.defaultMode).toBe(0o440);
  });

  it('The executor is probed at /health, and restarted after ten minutes of failures', () => {
    const [{ startupProbe, livenessProbe, readinessProbe, ports }] = set.spec.template.spec.containers;
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe])
      expect(httpGet).toEqual({ path: '/health', port: ports[0].name });
    expect(ports).toEqual([{ name: 'metrics', containerPort: Number(environmentOf(set)['PORT']) }]);
    expect(livenessProbe.periodSeconds * livenessProbe.failureThreshold).toBe(600);
  });

  it('The executor is scraped by a job of its own, which no other pod is in', () => {
    const selects = (selector: any, { metadata }: any): boolean =>
      Object.entries(selector).every(([label, value]) => metadata.labels[label] === value);
    const pods = manifests
      .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
      .map(({ spec }) => spec.template);
    const selectedBy = (name: string): any[] =>
      pods.filter((pod) => selects(named('Service', name).spec.selector, pod));
    const mine = set.spec.template;
    expect(selectedBy(NAME)).toEqual([mine]);
    expect(selectedBy('money-vaultline-partner-metrics')).not.toContain(mine);
    expect(named('Service', NAME).spec.clusterIP).toBe('None');
    const { spec } = named('ServiceMonitor', NAME);
    expect(selects(spec.selector.matchLabels, named('Service', NAME))).toBe(true);
    expect(spec.endpoints[0].relabelings).toEqual([
      { targetLabel: 'job', replacement: 'vaultline-executor' },
    ]);
    expect(mine.metadata.annotations).toMatchObject({
      'prometheus.io/port': '3300',
      'prometheus.io/path': '/metrics',
    });
  });

  it('The network policies let scrapers in to the executor, and the executor out to the API and to what it alone needs', () => {
    const { ingress, egress, podSelector } = named('NetworkPolicy', NAME).spec;
    expect(ingress).toEqual([{ from: SCRAPERS, ports: [{ port: 3300, protocol: 'TCP' }] }]);
    const [, api, internet, ...further] = egress;
    const server = named('NetworkPolicy', 'money-vaultline-partner-api').spec;
    expect(api).toEqual({
      to: [{ podSelector: server.podSelector }],
      ports: [{ port: 3000, protocol: 'TCP' }],
    });
    expect(internet.to[0].ipBlock.except).toContain('10.0.0.0/8');
    expect(further).toEqual([SIGNER]);
    // Callers are named, and the executor is not among them.
    expect(server.ingress).toContainEqual({
      from: [{ podSelector }],
      ports: [{ port: 3000, protocol: 'TCP' }],
    });
    const sandbox = named('NetworkPolicy', 'money-vaultline-sandbox-api').spec;
    expect(JSON.stringify(sandbox)).not.toContain('executor');
  });

  it('An executor without a server is refused, and one of another server has no way to this one', () => {
    const elsewhere = valuesWith((_, values) => (values.contracts.partner.enabled = false));
    expect(() => rendered(elsewhere)).toThrow(
      'executor.enabled needs contracts.partner.enabled, or executor.url',
    );
    elsewhere.executor.url = 'https://yield.example.com';
    const all = rendered(elsewhere);
    const [executor] = all.filter(({ kind }) => kind === 'StatefulSet');
    expect(environmentOf(executor)['VAULTLINE_URL']).toBe('https://yield.example.com');
    const policy = all.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === NAME);
    expect(policy.spec.egress.some(({ to }: any) => to[0].podSelector)).toBe(false);
  });
});
