/**
 * Errors that no published schema states: what the API server also refuses, and what a pod would fail on. The schemas themselves are compared by
 * `chart-schemas.long.spec.ts`.
 */
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** @returns the errors of a manifest, a sentence each */
export function troublesOf(manifest: any): string[] {
  const { kind, metadata, spec } = manifest;
  const at = `${kind} ${metadata?.name}`;
  const troubles = [
    ...Object.entries(metadata.labels ?? {})
      .filter(([, value]) => typeof value !== 'string' || !LABEL.test(value))
      .map(([label]) => `${at}: label ${label} is not valid`),
  ];
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
    ...spec.containers.flatMap((container: any) =>
      troublesOfContainer(container, `${at}: ${container.name}`),
    ),
  ];
}

function troublesOfContainer(container: any, at: string): string[] {
  const ports = (container.ports ?? []).map(({ name }: any) => name);
  const names = container.env.map(({ name }: any) => name);
  return [
    ...names
      .filter((name: string, place: number) => names.indexOf(name) !== place)
      .map((name: string) => `${at}: ${name} is set twice`),
    ...container.env
      .filter(({ value, valueFrom }: any) => (typeof value === 'string') === (valueFrom !== undefined))
      .map(({ name }: any) => `${at}: ${name} has no text and no reference, or both`),
    ...['startupProbe', 'livenessProbe', 'readinessProbe']
      .filter((probe) => container[probe])
      .filter((probe) => !ports.includes(container[probe].httpGet.port))
      .map((probe) => `${at}: ${probe} asks a port that there is not`),
  ];
}
