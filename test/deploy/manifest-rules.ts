/**
 * Errors that the API server would report, or on which a pod would fail, in the kinds of the chart: structural rules of Kubernetes from 1.27 on, for
 * the fields that the chart uses.
 */
const FIELDS: Record<string, { apiVersion: string; spec: readonly string[] }> = {
  Deployment: {
    apiVersion: 'apps/v1',
    spec: ['replicas', 'revisionHistoryLimit', 'strategy', 'selector', 'template'],
  },
  Job: { apiVersion: 'batch/v1', spec: ['backoffLimit', 'activeDeadlineSeconds', 'template'] },
  Service: { apiVersion: 'v1', spec: ['type', 'selector', 'ports'] },
  Ingress: { apiVersion: 'networking.k8s.io/v1', spec: ['ingressClassName', 'tls', 'rules'] },
  PodDisruptionBudget: { apiVersion: 'policy/v1', spec: ['maxUnavailable', 'selector'] },
  HorizontalPodAutoscaler: {
    apiVersion: 'autoscaling/v2',
    spec: ['scaleTargetRef', 'minReplicas', 'maxReplicas', 'metrics'],
  },
  NetworkPolicy: {
    apiVersion: 'networking.k8s.io/v1',
    spec: ['podSelector', 'policyTypes', 'ingress', 'egress'],
  },
};
const POD = [
  'automountServiceAccountToken',
  'enableServiceLinks',
  'securityContext',
  'imagePullSecrets',
  'nodeSelector',
  'tolerations',
  'terminationGracePeriodSeconds',
  'topologySpreadConstraints',
  'restartPolicy',
  'containers',
];
const CONTAINER = [
  'name',
  'image',
  'imagePullPolicy',
  'command',
  'securityContext',
  'env',
  'ports',
  'startupProbe',
  'livenessProbe',
  'readinessProbe',
  'lifecycle',
  'resources',
];
const PROBE = ['httpGet', 'periodSeconds', 'timeoutSeconds', 'failureThreshold'];
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** @returns the errors of a manifest, a sentence each */
export function troublesOf(manifest: any): string[] {
  const { kind, apiVersion, metadata, spec } = manifest;
  const known = FIELDS[kind];
  if (!known) return [`${kind} is no kind that the chart is to make`];
  const at = `${kind} ${metadata?.name}`;
  const troubles = [
    ...unknown(manifest, ['apiVersion', 'kind', 'metadata', 'spec'], at),
    ...unknown(metadata, ['name', 'namespace', 'labels', 'annotations'], `${at}: metadata`),
    ...unknown(spec, known.spec, `${at}: spec`),
    ...Object.entries(metadata.labels ?? {})
      .filter(([, value]) => typeof value !== 'string' || !LABEL.test(value))
      .map(([label]) => `${at}: label ${label} is not valid`),
  ];
  if (apiVersion !== known.apiVersion) troubles.push(`${at}: apiVersion is ${apiVersion}`);
  if (!NAME.test(metadata.name)) troubles.push(`${at}: the name is not valid`);
  if (spec.template) troubles.push(...troublesOfPod(spec.template, spec.selector, at));
  return troubles;
}

function troublesOfPod({ metadata, spec }: any, selector: any, at: string): string[] {
  const chosen = Object.entries(selector?.matchLabels ?? {});
  return [
    ...chosen
      .filter(([label, value]) => metadata.labels[label] !== value)
      .map(([label]) => `${at}: its pods lack ${label}`),
    ...Object.entries(metadata.annotations ?? {})
      .filter(([, value]) => typeof value !== 'string')
      .map(([name]) => `${at}: annotation ${name} is no text`),
    ...unknown(spec, POD, `${at}: pod`),
    ...spec.containers.flatMap((container: any) =>
      troublesOfContainer(container, `${at}: ${container.name}`),
    ),
  ];
}

function troublesOfContainer(container: any, at: string): string[] {
  const ports = (container.ports ?? []).map(({ name }: any) => name);
  const names = container.env.map(({ name }: any) => name);
  return [
    ...unknown(container, CONTAINER, at),
    ...names
      .filter((name: string, place: number) => names.indexOf(name) !== place)
      .map((name: string) => `${at}: ${name} is set twice`),
    ...container.env
      .filter(({ value, valueFrom }: any) => (typeof value === 'string') === (valueFrom !== undefined))
      .map(({ name }: any) => `${at}: ${name} has no text and no reference, or both`),
    ...['startupProbe', 'livenessProbe', 'readinessProbe']
      .filter((probe) => container[probe])
      .flatMap((probe) => [
        ...unknown(container[probe], PROBE, `${at}: ${probe}`),
        ...(ports.includes(container[probe].httpGet.port)
          ? []
          : [`${at}: ${probe} asks a port that there is not`]),
      ]),
  ];
}

const unknown = (of: object, known: readonly string[], at: string): string[] =>
  Object.keys(of)
    .filter((field) => !known.includes(field))
    .map((field) => `${at} has ${field}, which is not known`);
