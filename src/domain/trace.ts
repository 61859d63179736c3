import { Injectable } from '@nestjs/common';

export type SpanKind = 'request' | 'statement' | 'send' | 'tick';
/** Nothing of a caller's: no value of a statement, no address, no key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanEnd {
  /** Where it is known only now. */
  name?: string;
  attributes?: SpanAttributes;
  failed?: boolean;
}

/** A piece of work, as a trace shows it. */
export interface TraceSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  end(end?: SpanEnd): void;
}

/** Who records traces. */
export interface Recorder {
  /**
   * Begins a piece of what is under way here, or else a trace, or a part of the one that `traceparent` (W3C) names.
   *
   * @returns null where it is not recorded
   */
  begin(kind: SpanKind, name: string, traceparent?: string): TraceSpan | null;
  /** Runs what belongs to it. */
  within<T>(span: TraceSpan, work: () => T): T;
}

/** Passes spans to the recorder. Without a collector there is none, and a null check is all it costs. */
@Injectable()
export class Trace {
  recorder: Recorder | null = null;

  /** @param told what of the result a trace shows */
  async record<T>(
    kind: SpanKind,
    name: string,
    work: () => Promise<T>,
    told?: (result: T) => SpanAttributes,
  ): Promise<T> {
    const { recorder } = this;
    const span = recorder?.begin(kind, name);
    if (!recorder || !span) return work();
    try {
      const result = await recorder.within(span, work);
      span.end(told ? { attributes: told(result) } : {});
      return result;
    } catch (error) {
      span.end({ failed: true });
      throw error;
    }
  }
}
