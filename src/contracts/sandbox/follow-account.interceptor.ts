import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { AccountService } from '../../domain/cycle/accounts/account.service.js';

/** Catches an account whose key calls up to its now first: hours that passed since its last use are run. */
@Injectable()
export class FollowAccountInterceptor implements NestInterceptor {
  constructor(private readonly accounts: AccountService) {}

  /** @throws DomainError `service_unavailable` */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { caller } = context.switchToHttp().getRequest<Request>();
    if (caller?.partnerId) await this.accounts.follow(caller.partnerId);
    return next.handle();
  }
}
