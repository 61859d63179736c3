import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { UserService } from '../../domain/users/user.service.js';
import { defined } from '../../http/defined.js';
import { resource } from '../../http/envelope.js';
import { CurrentExchange, type Exchange, PartnerId } from '../../http/exchange.js';
import { Once } from '../../http/once.js';
import { Operation } from '../../http/openapi/operation.js';
import { CreateUserInputDto, UserRecord, userView } from './user.dto.js';

@ApiTags('End-users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly users: UserService,
    private readonly once: Once,
  ) {}

  @Post()
  @Operation({
    summary: 'Create an end-user',
    description:
      'Creates an end-user attributed to your partner. Never an upsert: an `external_id` that exists, with you or with any other partner, is a 409.',
    access: { scopes: ['partner:read'], partner: true },
    success: { status: 201, object: 'user', data: UserRecord, description: 'The user.' },
    errors: ['external_id_taken', 'wallet_taken'],
  })
  createUser(
    @CurrentExchange() exchange: Exchange,
    @PartnerId() partnerId: string,
    @Body() body: CreateUserInputDto,
  ): Promise<string> {
    return this.once.run(exchange, async () => {
      const { external_id: externalId, label, wallets, email, metadata } = body;
      const user = await this.users.create(partnerId, {
        externalId,
        ...defined({ label, wallets, email, metadata }),
      });
      return resource('user', userView(user));
    });
  }
}
