import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { AccountService } from '../../domain/accounts/account.service.js';

/** Whoever calls with an account's key finds the account at its now: hours that passed since its last use are run first. */
@Injectable()
export class FollowAccount implements NestInterceptor {
  constructor(private readonly accounts: AccountService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const partnerId = context.switchToHttp().getRequest<Request>().caller?.partnerId;
    if (partnerId) await this.accounts.follow(partnerId);
    return next.handle();
  }
}
