import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import type { TracingSettings } from '../config/tracing.js';
import { VERSION } from '../config/version.js';
import { tracePlace } from './trace-place.js';

/** Limit on buffered spans; further ones are dropped. */
const HELD_SPANS = 2_048;
const BATCH_SPANS = 512;
const DELAY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** Limit on spans of one trace: a tick or an advance may have any number of statements. */
const SPANS_A_TRACE = 500;
/** How long shutdown waits for the last spans. */
const FAREWELL_MS = 1_000;
/** Interval between log lines about a collector that accepts nothing. */
const TELL_AGAIN_MS = 60_000;

const KINDS = {
  request: SpanKind.SERVER,
  statement: SpanKind.CLIENT,
  send: SpanKind.CLIENT,
  tick: SpanKind.INTERNAL,
} as const;

/** W3C traceparent: version, trace, parent, flags. All-zero ids are invalid, and version ff does not exist. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

type Attributes = Readonly<Record<string, string | number | boolean>>;
interface SpanEnd {
  name?: string;
  attributes?: Attributes;
  failed?: boolean;
}

/** State shared by the spans of a trace. */
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

/**
 * Records traces and sends them to a collector by OTLP over HTTP. Loaded only when a collector is configured. A slow or unreachable collector costs
 * spans, never a request: they are sent from a bounded buffer in the background.
 */
export class OtlpTracing {
  /** Number of spans that the collector did not accept. */
  lost = 0;
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;
  private toldAt = -Infinity;

  constructor(
    { url, serviceName, ratio, attributes }: TracingSettings,
    environment: string,
    private readonly log: Logger,
  ) {
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS });
    this.provider = new NodeTracerProvider({
      resource: resourceFromAttributes({
        ...attributes,
        'service.name': serviceName,
        'service.version': VERSION,
        'deployment.environment.name': environment,
      }),
      sampler: ownChance(ratio),
      spanProcessors: [
        new BatchSpanProcessor(this.watched(exporter), {
          maxQueueSize: HELD_SPANS,
          maxExportBatchSize: BATCH_SPANS,
          scheduledDelayMillis: DELAY_MS,
          exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        }),
      ],
    });
    // A tracer of its own instead of the global one: a test runs several deployments in one process.
    this.tracer = this.provider.getTracer('vaultline', VERSION);
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
    const family = parent?.family ?? { spans: 0, leftOut: 0 };
    family.spans++;
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent.span) : contextOf(traceparent);
    return new RecordedSpan(
      this.tracer.startSpan(name, { kind: KINDS[kind] }, context),
      family,
      parent === null,
    );
  }

  within<T>(span: { readonly traceId: string }, work: () => T): T {
    return tracePlace.run(span, work);
  }

  /** Sends buffered spans, for at most a second. */
  async close(): Promise<void> {
    const sent = this.provider.shutdown().catch(() => undefined);
    await Promise.race([sent, sleep(FAREWELL_MS, undefined, { ref: false })]);
  }

  /** Counts lost spans, and logs their number once a minute. */
  private watched(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans: ReadableSpan[], done) =>
        exporter.export(spans, (result) => {
          if (result.error) this.lose(spans.length, result.error);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    };
  }

  private lose(spans: number, error: Error): void {
    this.lost += spans;
    if (performance.now() - this.toldAt < TELL_AGAIN_MS) return;
    this.toldAt = performance.now();
    this.log.warn({ err: error, lost: this.lost }, 'the collector of traces takes none; they are dropped');
  }
}

/**
 * Sampling by local chance only. A caller's flag or trace id never decides: callers could otherwise force all of their traces to be recorded, filling
 * the buffer, or none.
 */
function ownChance(ratio: number): Sampler {
  const chance: Sampler = {
    shouldSample: () => ({
      decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `Chance{${ratio}}`,
  };
  return new ParentBasedSampler({
    root: chance,
    remoteParentSampled: chance,
    remoteParentNotSampled: chance,
  });
}

/** Parent context from the caller; a malformed traceparent is ignored. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}
