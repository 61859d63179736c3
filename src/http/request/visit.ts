import type { Request, Response } from 'express';
import { CallerGone } from './exchange.js';
import { bytesRead } from './body.reader.js';
import { pointsOf } from '../access/points.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the access guard on every route that is not public. */
    visit?: Visit;
  }
}

/**
 * A request from its admission until both its work has ended and its connection is done with it. The two differ: a caller that disconnects leaves
 * work running, and one that does not read its answer leaves the answer. Until then the request keeps its concurrency slots; then its cost is
 * charged.
 */
export class Visit {
  private readonly atEnd: ((points: number) => void)[] = [];
  /** Created on demand: most requests never wait. */
  private leaving: AbortController | null = null;
  private hasLeft: boolean;
  private points = 0;
  /** Units of work in progress. */
  private works = 0;
  private isUnderWay = false;

  constructor(private readonly response: Response) {
    this.hasLeft = response.closed;
  }

  /** Aborted with CallerGone when the connection is done with the request. */
  get gone(): AbortSignal {
    if (!this.leaving) {
      this.leaving = new AbortController();
      if (this.hasLeft) this.leaving.abort(new CallerGone());
    }
    return this.leaving.signal;
  }

  /** The connection is done with the request: it was answered, or the caller disconnected. */
  callerLeft(): void {
    this.hasLeft = true;
    this.leaving?.abort(new CallerGone());
    if (this.works === 0) this.end();
  }

  /** @param then called with the cost beyond the first point */
  whenOver(then: (points: number) => void): void {
    if (this.hasLeft && this.works === 0) then(0);
    else this.atEnd.push(then);
  }

  /** Cost of the work beyond the size of its answer. A retried transaction reports it again, so the largest value counts and not the sum. */
  charge(points: number): void {
    this.points = Math.max(this.points, points);
  }

  /** @throws CallerGone when the caller has disconnected */
  requireCaller(): void {
    if (this.hasLeft) throw new CallerGone();
  }

  /**
   * Begins the operation, which `finish` ends.
   * @throws CallerGone
   */
  begin(): void {
    this.requireCaller();
    this.isUnderWay = true;
    this.works++;
  }

  /** Ends the operation, whatever its outcome. It has no effect unless one has begun. */
  finish(): void {
    if (!this.isUnderWay) return;
    this.isUnderWay = false;
    this.done();
  }

  /**
   * Does a part of the work before the operation.
   * @throws CallerGone, also when the caller disconnects meanwhile
   */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.requireCaller();
    this.works++;
    let result: T;
    try {
      result = await work();
    } finally {
      this.done();
    }
    this.requireCaller();
    return result;
  }

  private done(): void {
    this.works--;
    // The answer is written before the next slot is granted, also when nobody reads it.
    if (this.hasLeft && this.works === 0) setImmediate(() => this.end());
  }

  private end(): void {
    const answered = Number(this.response.getHeader('content-length') ?? 0);
    const points = this.points + pointsOf({ read: bytesRead(this.response.req), answered });
    for (const then of this.atEnd.splice(0)) then(points);
  }
}

/** Charges a request for work that its answer's size does not show. */
export const charge = ({ request }: { request: Request }, points: number): void =>
  request.visit?.charge(Math.floor(points));
