import type { Request, Response } from 'express';
import { CallerGone } from './exchange.js';
import { BYTES_A_POINT } from './points.js';

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
  private readonly leaving = new AbortController();
  private points = 0;
  /** What is being done for it. */
  private works = 0;

  constructor(private readonly response: Response) {
    if (response.closed) this.leave();
    response.once('close', () => {
      this.leave();
      if (this.works === 0) this.end();
    });
  }

  /** Aborted, with CallerGone, when the connection is through with the request. */
  get gone(): AbortSignal {
    return this.leaving.signal;
  }

  /** @param then with what the request cost beside its one point */
  whenOver(then: (points: number) => void): void {
    if (this.gone.aborted && this.works === 0) then(0);
    else this.atEnd.push(then);
  }

  /** What the work cost, beside what it answers. A transaction that is tried again says so again: it counts once. */
  charge(points: number): void {
    this.points = Math.max(this.points, points);
  }

  /** @throws CallerGone: nobody waits for it */
  requireCaller(): void {
    this.gone.throwIfAborted();
  }

  /** @throws CallerGone */
  begin(): void {
    this.requireCaller();
    this.works++;
  }

  done(): void {
    this.works--;
    // What it answers is written before the next turn, also where nobody reads it.
    if (this.gone.aborted && this.works === 0) setImmediate(() => this.end());
  }

  /** Does a part of the work. @throws CallerGone, where it has gone meanwhile, too */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.begin();
    const result = await work().finally(() => this.done());
    this.requireCaller();
    return result;
  }

  private leave(): void {
    this.leaving.abort(new CallerGone());
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
