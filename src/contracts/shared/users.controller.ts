import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HoldingService } from '../../domain/books/positions/holding.service.js';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { UserService } from '../../domain/tenants/users/user.service.js';
import { defined } from '../../http/defined.js';
import { PartnerId } from '../../http/access/caller.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { PathId } from '../../http/request/path.js';
import {
  CreateUserInputDto,
  DeletedUser,
  UpdateUserInputDto,
  UserRecord,
  userView,
  UserWithBalances,
  userWithBalancesView,
} from './user.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('End-users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly users: UserService,
    private readonly holdings: HoldingService,
  ) {}

  @Post()
  @Operation({
    summary: 'Create an end-user',
    description:
      'Creates an end-user of your partner. A taken `external_id` is answered 409: this operation never updates.',
    access,
    success: { status: 201, object: 'user', data: UserRecord, description: 'The user.' },
    errors: ['external_id_taken', 'wallet_taken'],
  })
  createUser(
    @PartnerId() partnerId: string,
    @Body() body: CreateUserInputDto,
    @Idempotent() once: Once<UserRecord>,
  ) {
    return once(async () => {
      const { external_id: externalId, ...fields } = body;
      const user = await this.users.create(partnerId, { externalId, ...defined(fields) });
      return userView(user);
    });
  }

  @Get(':id')
  @Operation({
    summary: 'Get an end-user',
    description:
      'One of your end-users, with what it has by asset. Find its id by your own identifier: `GET /partner/users?external_id=...`.',
    access,
    success: { object: 'user', data: UserWithBalances, description: 'The end-user.' },
    extension: true,
  })
  async readUser(@PartnerId() partnerId: string, @PathId('id', 'user', 'The end-user.') id: string) {
    const user = await this.users.get(partnerId, id);
    const holdings = await this.holdings.find(partnerId, [id]);
    return userWithBalancesView({ ...user, balances: holdings.get(id)!.balances });
  }

  @Patch(':id')
  @Operation({
    summary: 'Update an end-user',
    description:
      'Changes the fields that are sent; `wallets` replaces the whole list, and the external id cannot change. With `status: blocked` deposits are refused and withdrawals stay possible; `status: active` lifts the block.',
    access,
    success: { object: 'user', data: UserRecord, description: 'The updated end-user.' },
    errors: ['wallet_taken'],
    extension: true,
    goesOn: true,
  })
  async updateUser(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') id: string,
    @Body() body: UpdateUserInputDto,
    @Recorded() recorded: RecordedWork,
  ) {
    return userView(await recorded(() => this.users.update(partnerId, id, defined({ ...body }))));
  }

  @Delete(':id')
  @Operation({
    summary: 'Delete an end-user',
    description:
      'Deletes an end-user that never had a position and frees its external id and wallets. Otherwise the answer is 409: block the end-user instead.',
    access,
    success: { object: 'user', data: DeletedUser, description: 'The user is gone.' },
    errors: ['user_has_positions'],
    extension: true,
  })
  async deleteUser(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.', DEMO_IDS.deletableUser) id: string,
    @Recorded() recorded: RecordedWork,
  ) {
    await recorded(() => this.users.remove(partnerId, id));
    return { id, deleted: true };
  }
}
