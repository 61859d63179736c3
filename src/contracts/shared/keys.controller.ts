import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import { KeyService } from '../../domain/tenants/access/key.service.js';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { invalid } from '../../domain/kernel/domain-error.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { PageQuery, Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  ApiKeyDto,
  createdKeyView,
  CreateKeyInputDto,
  keyView,
  RevokedApiKey,
  RotateKeyInputDto,
} from './key.dto.js';
import { PREVIOUS_SECONDS } from './previous-seconds.js';

const access = { scopes: ['keys:admin'] } as const;

@ApiTags('API keys')
@Controller('keys')
export class KeysController {
  constructor(
    private readonly keys: KeyService,
    private readonly paging: Paginator,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Operation({
    summary: 'Create an API key',
    description:
      'Creates a key. Only this answer shows its full `secret`: store it. A key for a disabled partner is refused.',
    access: { ...access, session: false },
    success: {
      status: 201,
      object: 'api_key',
      data: ApiKeyDto,
      description: 'The key, with its full secret.',
    },
    errors: ['partner_disabled'],
  })
  createKey(@Body() body: CreateKeyInputDto, @Idempotent() once: Once<ApiKeyDto>) {
    const { environment } = this.settings;
    if (body.environment !== undefined && body.environment !== environment) {
      throw invalid('environment', `must be ${environment}, the environment of this deployment`);
    }
    return once(async () => {
      const created = await this.keys.create({
        label: body.label,
        ...(body.scopes && { scopes: body.scopes }),
        ...(body.partner_id !== undefined && { partnerId: body.partner_id }),
        ...(body.expires_at && { expiresAt: new Date(body.expires_at) }),
      });
      return createdKeyView(created, environment);
    });
  }

  @Post(':id/rotate')
  @Operation({
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same label, scopes and partner, without an expiry, and shows its `secret` once. The old key expires in `previous_expires_in` seconds, or earlier if it already has an expiry, and its sessions end with it. A revoked or expired key cannot be rotated.',
    access: { ...access, session: false },
    success: {
      status: 201,
      object: 'api_key',
      data: ApiKeyDto,
      description: 'The new key, with its full secret.',
    },
    errors: ['partner_disabled'],
    extension: true,
  })
  rotateKey(
    @PathId('id', 'apiKey', 'The key that is replaced.') id: string,
    @Body() { previous_expires_in: seconds = PREVIOUS_SECONDS }: RotateKeyInputDto,
    @Idempotent() once: Once<ApiKeyDto>,
  ) {
    return once(async () => createdKeyView(await this.keys.rotate(id, seconds), this.settings.environment));
  }

  @Get()
  @Operation({
    summary: 'List API keys',
    description: 'All keys of the deployment, including revoked ones, newest first. Secrets are masked.',
    access,
    success: { object: 'list', data: ApiKeyDto, description: 'A page of keys.' },
  })
  listKeys(@Query() query: PageQuery) {
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
      'Revokes a key. Every replica refuses it once this call has returned. Revoking it again is not an error.',
    access,
    success: { object: 'api_key', data: RevokedApiKey, description: 'The key is revoked.' },
  })
  async revokeKey(
    @PathId('id', 'apiKey', 'The key.', DEMO_IDS.revocableKey) id: string,
    @Recorded() recorded: RecordedWork,
  ) {
    await recorded(() => this.keys.revoke(id));
    return { id, revoked: true };
  }
}
