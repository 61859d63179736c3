import type { Request, Response } from 'express';
import { CallerGone } from './exchange.js';
import { BYTES_A_POINT } from '../access/points.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the access guard on every route that is not public. */
    visit?: Visit;
  }
}

/**
 * One request from its admission to its end, which is when its work is done and its connection is through with it: a caller that goes away leaves its work
 * behind, and one that does not read its answer leaves that. Until then it keeps its places; then it is charged.
 */
export class Visit {
  private readonly atEnd: ((points: number) => void)[] = [];
  /** Made for those that wait; most requests never do. */
  private leaving: AbortController | null = null;
  private hasLeft: boolean;
  private points = 0;
  /** What is being done for it. */
  private works = 0;
  private isUnderWay = false;

  constructor(private readonly response: Response) {
    this.hasLeft = response.closed;
  }

  /** Aborted, with CallerGone, when the connection is through with the request. */
  get gone(): AbortSignal {
    if (!this.leaving) {
      this.leaving = new AbortController();
      if (this.hasLeft) this.leaving.abort(new CallerGone());
    }
    return this.leaving.signal;
  }

  /** The connection is through with the request: it was answered, or its caller has gone. */
  callerLeft(): void {
    this.hasLeft = true;
    this.leaving?.abort(new CallerGone());
    if (this.works === 0) this.end();
  }

  /** @param then with what the request cost beside its one point */
  whenOver(then: (points: number) => void): void {
    if (this.hasLeft && this.works === 0) then(0);
    else this.atEnd.push(then);
  }

  /** What the work cost, beside what it answers. A transaction that is tried again says so again: it counts once. */
  charge(points: number): void {
    this.points = Math.max(this.points, points);
  }

  /** @throws CallerGone: nobody waits for it */
  requireCaller(): void {
    if (this.hasLeft) throw new CallerGone();
  }

  /** The operation begins; it is over with `finish`. @throws CallerGone */
  begin(): void {
    this.requireCaller();
    this.isUnderWay = true;
    this.works++;
  }

  /** The operation is over, whatever became of it. Without one that began, it has no effect. */
  finish(): void {
    if (!this.isUnderWay) return;
    this.isUnderWay = false;
    this.done();
  }

  /** Does a part of the work before that. @throws CallerGone, where it has gone meanwhile, too */
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
    // What it answers is written before the next turn, also where nobody reads it.
    if (this.hasLeft && this.works === 0) setImmediate(() => this.end());
  }

  private end(): void {
    const answered = Number(this.response.getHeader('content-length') ?? 0);
    const points = this.points + Math.floor(answered / BYTES_A_POINT);
    for (const then of this.atEnd.splice(0)) then(points);
  }
}

/** Charges a request for work that its answer does not show. */
export const charge = ({ request }: { request: Request }, points: number): void =>
  request.visit?.charge(Math.floor(points));
