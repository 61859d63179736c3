import { Injectable } from '@nestjs/common';

export type SpanKind = 'request' | 'statement' | 'send' | 'tick';
/** Attributes never contain callers' data: no parameter of a statement, no address, no key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanEnd {
  /** Name, when it is known only at the end. */
  name?: string;
  attributes?: SpanAttributes;
  failed?: boolean;
}

export interface TraceSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  end(end?: SpanEnd): void;
}

export interface Recorder {
  /** Begins a span within the current one, or a new trace, or a continuation of `traceparent` (W3C). @returns null when it is not recorded */
  begin(kind: SpanKind, name: string, traceparent?: string): TraceSpan | null;
  within<T>(span: TraceSpan, work: () => T): T;
}

/** Passes spans to the recorder. Without a collector there is none, and the cost is a null check. */
@Injectable()
export class Trace {
  recorder: Recorder | null = null;

  /** @param attributes attributes from the result */
  async record<T>(
    kind: SpanKind,
    name: string,
    work: () => Promise<T>,
    attributes?: (result: T) => SpanAttributes,
  ): Promise<T> {
    const { recorder } = this;
    const span = recorder?.begin(kind, name);
    if (!recorder || !span) return work();
    try {
      const result = await recorder.within(span, work);
      span.end(attributes ? { attributes: attributes(result) } : {});
      return result;
    } catch (error) {
      span.end({ failed: true });
      throw error;
    }
  }
}
