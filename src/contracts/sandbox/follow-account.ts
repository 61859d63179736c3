import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AccountService } from '../../domain/accounts/account.service.js';
import type { Preparation } from '../../http/request/request.guard.js';

/** An account whose key calls is caught up to its now first: hours that passed since its last use are run. */
@Injectable()
export class FollowAccount implements Preparation {
  constructor(private readonly accounts: AccountService) {}

  async prepare({ caller }: Request): Promise<void> {
    if (caller?.partnerId) await this.accounts.follow(caller.partnerId);
  }
}
