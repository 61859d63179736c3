import { ConfigError } from './config-error.js';
import type { Environment, Sampler } from './environment.js';
import { variableOf } from './read-environment.js';

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
  if (read.otelSdkDisabled || read.otelTracesExporter === 'none') return null;
  requireHttpJson(read);
  const base = read.otelExporterOtlpEndpoint;
  const url =
    read.otelExporterOtlpTracesEndpoint ??
    (base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === null) return null;
  const attributes = read.otelResourceAttributes ?? {};
  const serviceName = read.otelServiceName ?? attributes['service.name'] ?? `vaultline-${read.contract}`;
  const ratio = ratioOf(read.otelTracesSampler, read.otelTracesSamplerArg);
  return { url, serviceName, ratio, attributes };
}

/** The setting for traces overrides the one for all signals, which other programs of the environment may need. */
function requireHttpJson(read: Environment): void {
  const key =
    read.otelExporterOtlpTracesProtocol === undefined
      ? 'otelExporterOtlpProtocol'
      : 'otelExporterOtlpTracesProtocol';
  const protocol = read[key];
  if (protocol === undefined || protocol === 'http/json') return;
  throw new ConfigError([
    `${variableOf(key)} is ${JSON.stringify(protocol)}; allowed is http/json, because traces are sent in no other way. Where the other one is needed for other programs, set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json, or OTEL_TRACES_EXPORTER=none to send no traces.`,
  ]);
}

function ratioOf(sampler: Sampler = 'always_on', argument = 1): number {
  if (sampler.endsWith('always_off')) return 0;
  return sampler.endsWith('traceidratio') ? argument : 1;
}
