import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { StorageWatch } from '../../domain/kernel/store/storage-watch.js';
import { HttpError } from '../answer/http-error.js';
import { GOES_ON } from './access.js';

/** Methods that store something, unless their operation is exempt. DELETE frees space. */
const WRITING = new Set(['POST', 'PUT', 'PATCH']);
const RETRY_AFTER_SECONDS = 30;

/** Refuses writes while storage is nearly full, before their bodies are read. */
@Injectable()
export class StorageGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly storage: StorageWatch,
  ) {}

  /** @throws HttpError `service_unavailable` */
  canActivate(context: ExecutionContext): boolean {
    if (!this.storage.isNearlyFull) return true;
    const { method } = context.switchToHttp().getRequest<Request>();
    if (!WRITING.has(method) || this.reflector.get<boolean | undefined>(GOES_ON, context.getHandler()))
      return true;
    throw new HttpError(
      'service_unavailable',
      'Storage is nearly full, so nothing new is stored for now; reads go on. Nothing was changed. Try again later.',
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
}
