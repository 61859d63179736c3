import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AccountService } from '../../domain/accounts/account.service.js';
import type { Preparation } from '../../http/request/request.guard.js';

/** Whoever calls with an account's key finds the account at its now: hours that passed since its last use are run first. */
@Injectable()
export class FollowAccount implements Preparation {
  constructor(private readonly accounts: AccountService) {}

  async prepare({ caller }: Request): Promise<void> {
    if (caller?.partnerId) await this.accounts.follow(caller.partnerId);
  }
}
