import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import { KeyService } from '../../domain/access/key.service.js';
import { invalid } from '../../domain/domain-error.js';
import { type Effect, effect } from '../../http/effect.js';
import { Operation } from '../../http/openapi/operation.js';
import { type Listed, PageQuery, Paging } from '../../http/paging.js';
import { PathId } from '../../http/path.js';
import { ApiKey, CreateKeyInputDto, createdKeyView, keyView, RevokedApiKey } from './key.dto.js';

const access = { scopes: ['keys:admin'] } as const;

@ApiTags('API keys')
@Controller('keys')
export class KeysController {
  constructor(
    private readonly keys: KeyService,
    private readonly paging: Paging,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Operation({
    summary: 'Create an API key',
    description:
      'Creates a key. The answer is the only one that shows its full `secret`: store it. A key for a disabled partner is refused.',
    access,
    once: true,
    success: { status: 201, object: 'api_key', data: ApiKey, description: 'The key, with its full secret.' },
    errors: ['partner_disabled'],
  })
  createKey(@Body() body: CreateKeyInputDto): Effect<ApiKey> {
    const { environment } = this.settings;
    if (body.environment !== undefined && body.environment !== environment) {
      throw invalid('environment', `must be ${environment}, the environment of this deployment`);
    }
    return effect(async () => {
      const created = await this.keys.create({
        label: body.label,
        ...(body.scopes && { scopes: body.scopes }),
        ...(body.partner_id !== undefined && { partnerId: body.partner_id }),
      });
      return createdKeyView(created, environment);
    });
  }

  @Get()
  @Operation({
    summary: 'List API keys',
    description: 'All keys of the deployment, revoked ones included, newest first. Secrets are masked.',
    access,
    success: { object: 'list', data: ApiKey, description: 'A page of keys.' },
  })
  listKeys(@Query() query: PageQuery): Promise<Listed<ApiKey>> {
    return this.paging.serve(
      ['keys'],
      query,
      (page) => this.keys.list(page),
      (key) => keyView(key, this.settings.environment),
    );
  }

  @Delete(':id')
  @Operation({
    summary: 'Revoke an API key',
    description:
      'Revokes a key. It is refused from the moment this is answered, on every replica. Revoking once more is no error.',
    access,
    success: { object: 'api_key', data: RevokedApiKey, description: 'The key is revoked.' },
  })
  async revokeKey(@PathId('id', 'apiKey', 'The key.') id: string): Promise<RevokedApiKey> {
    await this.keys.revoke(id);
    return { id, revoked: true };
  }
}
