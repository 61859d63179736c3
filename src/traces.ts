import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Settings } from './config/settings.js';
import { Trace } from './domain/kernel/trace.js';
import { Metrics } from './telemetry/metrics.js';
import type { OtlpTracing } from './telemetry/otlp-tracing.js';

/** Turns tracing on when a collector is configured; only then OpenTelemetry is loaded. @returns closes it */
export async function recordTraces(
  nest: INestApplicationContext,
  settings: Settings,
  log: Logger,
): Promise<OtlpTracing | null> {
  if (settings.tracing === null) return null;
  const { OtlpTracing } = await import('./telemetry/otlp-tracing.js');
  const recorder = new OtlpTracing(settings.tracing, settings, log);
  nest.get(Trace, { strict: false }).recorder = recorder;
  nest.get(Metrics, { strict: false }).watchTraces(recorder);
  return recorder;
}
