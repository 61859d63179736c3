import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { StorageWatch } from '../../domain/store/storage-watch.js';
import { HttpError } from '../answer/http-error.js';
import type { RoutePlan } from '../request/route-plan.js';

/** Methods that store something, unless their operation is exempt. DELETE frees space. */
const WRITING = new Set(['POST', 'PUT', 'PATCH']);
const RETRY_AFTER_SECONDS = 30;

/** Refuses writes while storage is nearly full, before their bodies are read. */
@Injectable()
export class StorageCheck {
  constructor(private readonly storage: StorageWatch) {}

  /** @throws HttpError `service_unavailable` */
  requireRoom({ goesOn }: RoutePlan, { method }: Request): void {
    if (!this.storage.isNearlyFull || goesOn || !WRITING.has(method)) return;
    throw new HttpError(
      'service_unavailable',
      'Storage is nearly full, so nothing new is stored for now; reads go on. Nothing was changed. Try again later.',
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
}
