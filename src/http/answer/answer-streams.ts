import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { Authentication } from '../access/authentication.js';
import { CallerGone, goneSignal, requireCaller, tenantOf } from '../access/caller.js';
import { BYTES_A_POINT } from '../limits/points.guard.js';
import { FileNames } from './file-names.js';
import { rateLimited } from './http-error.js';

const RETRY_AFTER_SECONDS = 5;
const BUFFER_BYTES = 65_536;
/** Bytes after which the key is checked again, before more is read. */
const CHECKED_BYTES = 10_000;

/** File that a handler answers with, made part after part as the caller reads it. */
export class FileAnswer {
  constructor(
    readonly type: string,
    /** How its name ends. */
    readonly ending: string,
    readonly parts: AsyncIterable<string | Uint8Array>,
  ) {}
}

/** Answers of any length: sent part after part, so that no more than a part is in memory. A tenant has one under way. */
@Injectable()
export class AnswerStreams {
  /** Tenants with an answer under way. */
  private readonly underWay = new Set<string>();
  private readonly drainMs: number;

  constructor(
    private readonly authentication: Authentication,
    private readonly names: FileNames,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
    { constants }: Settings,
  ) {
    this.drainMs = constants.http.sendTimeoutSeconds * 1000;
  }

  /** @throws HttpError `rate_limited` for a second answer at once */
  enter(request: Request, response: Response): void {
    requireCaller(response);
    const tenant = tenantOf(request);
    if (this.underWay.has(tenant))
      throw rateLimited(
        'Another CSV answer or closing package is in progress: request one at a time.',
        RETRY_AFTER_SECONDS,
        'concurrency',
      );
    this.underWay.add(tenant);
    response.once('close', () => this.underWay.delete(tenant));
  }

  /** Sends parts, the next one once the caller took the last; nothing is made for HEAD. */
  async send(
    { type, ending, parts }: FileAnswer,
    request: Request,
    response: Response,
  ): Promise<StreamableFile> {
    const form = { type, disposition: await this.names.dispositionOf(request, ending) };
    const out = new PassThrough({ highWaterMark: BUFFER_BYTES });
    const file = new StreamableFile(out, form).setErrorLogger(() => undefined);
    if (request.method === 'HEAD') return (out.end(), file);
    this.write(out, parts, request, response).catch((error: unknown) => {
      const isGone = response.closed || error instanceof CallerGone;
      if (!isGone)
        this.log.warn({ err: error, request_id: request.requestId }, 'a streamed answer was cut off');
      // Without its last chunk, every client sees that the answer is incomplete.
      out.destroy(error as Error);
    });
    return file;
  }

  private async write(
    out: PassThrough,
    parts: AsyncIterable<string | Uint8Array>,
    request: Request,
    response: Response,
  ): Promise<void> {
    let bytes = 0;
    let unchecked = 0;
    for await (const part of parts) {
      const length = Buffer.byteLength(part);
      bytes += length;
      unchecked += length;
      request.charge!(bytes / BYTES_A_POINT);
      if (!out.write(part)) await this.waitForDrain(out, response);
      if (unchecked < CHECKED_BYTES) continue;
      unchecked = 0;
      await this.authentication.repeat(request);
    }
    out.end();
  }

  /** @throws CallerGone; Error for a caller that reads nothing until the send timeout */
  private async waitForDrain(out: PassThrough, response: Response): Promise<void> {
    const late = AbortSignal.timeout(this.drainMs);
    const signal = AbortSignal.any([goneSignal(response), late]);
    await once(out, 'drain', { signal }).catch(() => {
      if (late.aborted) this.metrics.cuts.inc({ bound: 'send_timeout' });
      throw (signal.reason as Error | undefined) ?? new CallerGone();
    });
  }
}
