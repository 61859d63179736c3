import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { StorageWatch } from '../domain/store/storage-watch.js';
import { GOES_ON } from './access.js';
import { HttpError } from './http-error.js';

/** They store something new, unless their operation says otherwise. DELETE makes room. */
const WRITING = new Set(['POST', 'PUT', 'PATCH']);
const RETRY_AFTER_SECONDS = 30;

/** Turns writes away while storage is nearly full, before their bodies are read. */
@Injectable()
export class StorageGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly storage: StorageWatch,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { method } = context.switchToHttp().getRequest<Request>();
    if (!this.storage.isNearlyFull || !WRITING.has(method)) return true;
    if (this.reflector.get<boolean | undefined>(GOES_ON, context.getHandler())) return true;
    throw new HttpError(
      'service_unavailable',
      'Storage is nearly full, so nothing new is stored for now; reads go on. Nothing was changed. Try again later.',
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
}
