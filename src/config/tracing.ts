import type { Environment, Sampler } from './environment.js';

/** What the server itself decides of traces; OpenTelemetry's SDK reads the rest of its variables. */
export interface TracingSettings {
  /** Share of traces that is recorded, 0 to 1. */
  ratio: number;
}

/** Variables that OpenTelemetry's SDK reads itself: their names are checked, their values are not. */
export const SDK_VARIABLES: readonly string[] = [
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_EXPORTER',
  'OTEL_NODE_RESOURCE_DETECTORS',
  ...['PROTOCOL', 'HEADERS', 'CERTIFICATE', 'COMPRESSION', 'TIMEOUT'].flatMap((name) => [
    `OTEL_EXPORTER_OTLP_${name}`,
    `OTEL_EXPORTER_OTLP_TRACES_${name}`,
  ]),
  // Of spans, and of log records, which are not sent: the names differ in two letters.
  ...['MAX_QUEUE_SIZE', 'SCHEDULE_DELAY', 'EXPORT_TIMEOUT', 'MAX_EXPORT_BATCH_SIZE'].flatMap((name) => [
    `OTEL_BSP_${name}`,
    `OTEL_BLRP_${name}`,
  ]),
];

/** Null: tracing is off, because no collector is set, or in spite of one. */
export function tracingOf(read: Environment): TracingSettings | null {
  if (read.otelSdkDisabled || (read.otelExporterOtlpTracesEndpoint ?? read.otelExporterOtlpEndpoint) === null)
    return null;
  return { ratio: ratioOf(read.otelTracesSampler, read.otelTracesSamplerArg) };
}

function ratioOf(sampler: Sampler, argument: number): number {
  if (sampler.endsWith('always_off')) return 0;
  return sampler.endsWith('traceidratio') ? argument : 1;
}

/** Has OpenTelemetry's SDK count what becomes of its spans, the lost ones among them: only a variable of the process asks for that. */
export function askForCounts(): void {
  process.env['OTEL_NODE_EXPERIMENTAL_SDK_METRICS'] = 'true';
}
