import { setTimeout as sleep } from 'node:timers/promises';
import {
  context,
  diag,
  DiagLogLevel,
  isSpanContextValid,
  logs,
  metrics,
  propagation,
  ROOT_CONTEXT,
  type Sampler,
  SamplingDecision,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { DataPointType, MetricReader } from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import type { Logger } from 'pino';
import { askForCounts, type TracingSettings } from '../config/tracing.js';
import { VERSION } from '../config/version.js';
import { tracePlace } from './logger.js';

/** Limit on spans of one trace: a tick or an advance may have any number of statements. */
const SPANS_A_TRACE = 500;
/** How long shutdown waits for the last spans. */
const FLUSH_MS = 1_000;
/** Interval between log lines about a collector that does not take what it is sent. */
const LOG_AGAIN_MS = 60_000;
/** The SDK's own count of spans that it finished with, by OpenTelemetry's conventions; lost ones have an `error.type`. */
const SPANS_PROCESSED = 'otel.sdk.processor.span.processed';

const KINDS = {
  request: SpanKind.SERVER,
  statement: SpanKind.CLIENT,
  send: SpanKind.CLIENT,
  tick: SpanKind.INTERNAL,
} as const;

type Attributes = Readonly<Record<string, string | number | boolean>>;
interface SpanEnd {
  name?: string;
  attributes?: Attributes;
  failed?: boolean;
}

interface Family {
  spans: number;
  leftOut: number;
}

class RecordedSpan {
  isOver = false;

  constructor(
    readonly span: Span,
    readonly family: Family,
    private readonly isRoot: boolean,
  ) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  end({ name, attributes, failed }: SpanEnd = {}): void {
    if (this.isOver) return;
    this.isOver = true;
    if (name !== undefined) this.span.updateName(name);
    if (attributes) this.span.setAttributes(attributes);
    if (failed) this.span.setStatus({ code: SpanStatusCode.ERROR });
    if (this.isRoot && this.family.leftOut > 0)
      this.span.setAttribute('vaultline.spans_left_out', this.family.leftOut);
    this.span.end();
  }
}

/** Reads the SDK's metrics when it is asked, after its end as well; they are sent nowhere. */
class OwnCounts extends MetricReader {
  override async shutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/**
 * Records traces by OpenTelemetry's SDK, one per process, which reads its own variables of the environment. Loaded only when a collector is
 * configured. A slow or unreachable collector costs spans, never a request: a bounded buffer is sent in the background.
 */
export class OtlpTracing {
  private readonly sdk: NodeSDK;
  private readonly tracer: Tracer;
  private readonly counts = new OwnCounts();
  private hasStarted = false;
  private toldAt = -Infinity;

  constructor(
    { ratio }: TracingSettings,
    { contract, environment }: { contract: string; environment: string },
    private readonly log: Logger,
  ) {
    askForCounts();
    this.sdk = new NodeSDK({
      resource: defaultResource().merge(
        resourceFromAttributes({
          'service.name': `vaultline-${contract}`,
          'service.version': VERSION,
          'deployment.environment.name': environment,
        }),
      ),
      sampler: ownChance(ratio),
      metricReaders: [this.counts],
      logRecordProcessors: [],
    });
    const warn = (message: string): void => this.logOnce(message);
    const ignore = (): void => undefined;
    diag.setLogger(
      { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
    this.sdk.start();
    this.tracer = trace.getTracer('vaultline', VERSION);
    this.hasStarted = true;
  }

  begin(kind: keyof typeof KINDS, name: string, traceparent?: string): RecordedSpan | null {
    const here = tracePlace.getStore();
    const parent = here instanceof RecordedSpan && !here.isOver ? here : null;
    // Statements outside of any trace, such as the heartbeat's, do not begin one.
    if (kind === 'statement' && !parent?.span.isRecording()) return null;
    if (parent && parent.family.spans >= SPANS_A_TRACE) {
      parent.family.leftOut++;
      return null;
    }
    const within = parent
      ? trace.setSpan(ROOT_CONTEXT, parent.span)
      : propagation.extract(ROOT_CONTEXT, { traceparent });
    const span = this.tracer.startSpan(name, { kind: KINDS[kind] }, within);
    // The environment turned the exporter off.
    if (!isSpanContextValid(span.spanContext())) return null;
    const family = parent?.family ?? { spans: 0, leftOut: 0 };
    family.spans++;
    return new RecordedSpan(span, family, parent === null);
  }

  within<T>(span: { readonly traceId: string }, work: () => T): T {
    return tracePlace.run(span, work);
  }

  /** Number of spans that were dropped, or that the collector did not accept. */
  async lost(): Promise<number> {
    const { resourceMetrics } = await this.counts.collect();
    return resourceMetrics.scopeMetrics
      .flatMap((scope) => scope.metrics)
      .filter((metric) => metric.descriptor.name === SPANS_PROCESSED)
      .flatMap((metric) => (metric.dataPointType === DataPointType.SUM ? metric.dataPoints : []))
      .filter(({ attributes }) => attributes['error.type'] !== undefined)
      .reduce((sum, { value }) => sum + value, 0);
  }

  async close(): Promise<void> {
    const sent = this.sdk.shutdown().catch(() => undefined);
    await Promise.race([sent, sleep(FLUSH_MS, undefined, { ref: false })]);
    for (const api of [trace, metrics, logs, propagation, context, diag]) api.disable();
  }

  /** Logs what the SDK warns of: each mistake of its settings, and once a minute trouble with the collector. */
  private logOnce(message: string): void {
    if (this.hasStarted) {
      if (performance.now() - this.toldAt < LOG_AGAIN_MS) return;
      this.toldAt = performance.now();
    }
    this.log.warn({ sdk: message }, 'traces may be lost');
  }
}

/**
 * Sampling by local chance only. A caller's flag or trace id never decides: callers could otherwise force all of their traces to be recorded, filling
 * the buffer, or none. Of the SDK's own samplers, the parent-based ones go by the flag and `traceidratio` by the id.
 */
function ownChance(ratio: number): Sampler {
  return {
    shouldSample: (within) => {
      const parent = trace.getSpanContext(within);
      const isSampled =
        parent && !parent.isRemote ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : Math.random() < ratio;
      return { decision: isSampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `Chance{${ratio}}`,
  };
}
