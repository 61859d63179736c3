import { ConfigError } from './config-error.js';
import type { Environment, Sampler } from './environment.js';

/** Settings of traces that are sent to a collector. */
export interface TracingSettings {
  url: string;
  serviceName: string;
  /** Share of traces that is recorded, 0 to 1. */
  ratio: number;
  /** Resource attributes of the environment, which those of the server itself override. */
  attributes: Readonly<Record<string, string>>;
}

/**
 * Tracing settings by OpenTelemetry's specification of its variables; null: tracing is off.
 * @throws ConfigError for a protocol other than OTLP over HTTP as JSON, unless the SDK or the exporter is off
 */
export function tracingOf(read: Environment): TracingSettings | null {
  if (read.OTEL_SDK_DISABLED || read.OTEL_TRACES_EXPORTER === 'none') return null;
  requireHttpJson(read);
  const base = read.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url =
    read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === null) return null;
  const attributes = read.OTEL_RESOURCE_ATTRIBUTES ?? {};
  const serviceName = read.OTEL_SERVICE_NAME ?? attributes['service.name'] ?? `vaultline-${read.CONTRACT}`;
  const ratio = ratioOf(read.OTEL_TRACES_SAMPLER, read.OTEL_TRACES_SAMPLER_ARG);
  return { url, serviceName, ratio, attributes };
}

/** The setting for traces overrides the one for all signals, which other programs of the environment may need. */
function requireHttpJson(read: Environment): void {
  const name =
    read.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL === undefined
      ? 'OTEL_EXPORTER_OTLP_PROTOCOL'
      : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL';
  const protocol = read[name];
  if (protocol === undefined || protocol === 'http/json') return;
  throw new ConfigError([
    `${name} is ${JSON.stringify(protocol)}; allowed is http/json, because traces are sent in no other way. Where the other one is needed for other programs, set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json, or OTEL_TRACES_EXPORTER=none to send no traces.`,
  ]);
}

function ratioOf(sampler: Sampler = 'always_on', argument = 1): number {
  if (sampler.endsWith('always_off')) return 0;
  return sampler.endsWith('traceidratio') ? argument : 1;
}
