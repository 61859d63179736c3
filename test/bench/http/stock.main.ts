import { createHash } from 'node:crypto';
import {
  type ArgumentsHost,
  Body,
  type CanActivate,
  Catch,
  ConflictException,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Headers,
  HttpException,
  Inject,
  Injectable,
  Module,
  Post,
  Query,
  Req,
  SetMetadata,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory, Reflector } from '@nestjs/core';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { IsArray, IsEmail, IsInt, IsObject, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import type { Request, Response } from 'express';
import helmet from 'helmet';
import { Logger, LoggerModule } from 'nestjs-pino';
import { type DataSource, IsNull, type Repository } from 'typeorm';
import { newId } from '../../../src/domain/kernel/identifier.js';
import { EVENT_TYPES } from '../../../src/domain/outbound/webhooks/event-type.js';
import { STOCK_ENTITIES, StockClaim, StockEndpoint, StockKey, StockUser } from './stock.entities.js';

/**
 * The peer of the request path: a stock NestJS application with operations of the server on the same tables, of the packages that most such
 * applications are made of, as their documentation sets them up: `@nestjs/typeorm`, `ValidationPipe`, helmet, and nestjs-pino with the key redacted.
 * It has no limits, and keeps no counters.
 */
declare module 'express-serve-static-core' {
  interface Request {
    stockKey: StockKey;
  }
}

const Scopes = (...scopes: string[]): MethodDecorator & ClassDecorator => SetMetadata('scopes', scopes);

@Injectable()
class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @InjectRepository(StockKey) private readonly keys: Repository<StockKey>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const scopes = this.reflector.getAllAndOverride<string[] | undefined>('scopes', targets);
    if (!scopes) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const [scheme, secret] = request.headers.authorization?.split(' ') ?? [];
    const secretHash = createHash('sha256')
      .update(secret ?? '')
      .digest();
    const key =
      scheme === 'Bearer' ? await this.keys.findOneBy({ secretHash, revokedAt: IsNull() }) : undefined;
    if (!key || (key.expiresAt && key.expiresAt <= new Date())) {
      throw new UnauthorizedException({
        code: 'invalid_api_key',
        message: 'This API key is unknown, revoked or mistyped. Check it, or ask for a new one.',
      });
    }
    if (!scopes.some((scope) => key.scopes.includes(scope)))
      throw new ForbiddenException({ code: 'insufficient_scope' });
    request.stockKey = key;
    return true;
  }
}

@Catch(HttpException)
class StockFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { id } = http.getRequest<Request>();
    const error = { ...(exception.getResponse() as object), request_id: id };
    http.getResponse<Response>().status(exception.getStatus()).json({ error });
  }
}

class PageQuery {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(500) limit?: number;
  @IsOptional() @IsString() cursor?: string;
}

class CreateUserDto {
  @IsString() @Length(1, 255) external_id: string;
  @IsOptional() @IsString() @Length(1, 255) label?: string;
  @IsOptional() @IsArray() @IsString({ each: true }) wallets?: string[];
  @IsOptional() @IsEmail() email?: string;
  @IsOptional() @IsObject() metadata?: object;
}

@Controller('webhooks')
@Scopes('partner:read', 'read')
class StockWebhooksController {
  constructor(@InjectRepository(StockEndpoint) private readonly endpoints: Repository<StockEndpoint>) {}

  @Get('events')
  events(): object {
    return { object: 'webhook_events', data: { object: 'webhook_events', events: EVENT_TYPES } };
  }

  @Get()
  async list(@Req() { stockKey }: Request, @Query() { limit = 50 }: PageQuery): Promise<object> {
    // One statement; `find` with `relations` and `take` would send two.
    const endpoint = await this.endpoints
      .createQueryBuilder('endpoint')
      .innerJoinAndSelect('endpoint.health', 'health')
      .where({ partnerId: stockKey.partnerId })
      .orderBy({ 'endpoint.createdAt': 'DESC', 'endpoint.id': 'DESC' })
      .limit(limit + 1)
      .getMany();
    const data = endpoint.slice(0, limit).map((endpoint) => ({
      id: endpoint.id,
      object: 'webhook',
      partner_id: endpoint.partnerId,
      url: endpoint.url,
      events: endpoint.events,
      description: endpoint.description,
      secret: endpoint.secretMasked,
      previous_secret_expires_at: endpoint.previousExpiresAt,
      active: endpoint.active,
      last_success_at: endpoint.health.lastSuccessAt,
      failing_since: endpoint.health.failingSince,
      consecutive_failures: endpoint.health.consecutiveFailures,
      created_at: endpoint.createdAt,
    }));
    return { object: 'list', data, meta: { has_more: endpoint.length > limit } };
  }
}

const ROUTE = 'POST /api/v1/users';

@Controller('users')
@Scopes('partner:read')
class StockUsersController {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** The claim, the user and the stored answer are one transaction. */
  @Post()
  create(
    @Req() { stockKey }: Request,
    @Headers('idempotency-key') key: string,
    @Body() input: CreateUserDto,
  ): Promise<object> {
    const partnerId = stockKey.partnerId!;
    const name = { scope: partnerId, route: ROUTE, key };
    const fingerprint = createHash('sha256').update(JSON.stringify(input)).digest();
    return this.source.transaction(async (manager) => {
      const claims = manager.getRepository(StockClaim);
      const claim = { ...name, keyId: stockKey.id, fingerprint, claimedAt: new Date() };
      const { raw } = await claims
        .createQueryBuilder()
        .insert()
        .values(claim)
        .orIgnore()
        .returning('key')
        .execute();
      if ((raw as unknown[]).length === 0) {
        const { answer } = await claims.findOneByOrFail(name);
        if (!answer) throw new ConflictException({ code: 'idempotency_in_progress' });
        return JSON.parse(answer.toString()) as object;
      }
      const now = new Date();
      const user = {
        id: newId('user', now),
        partnerId,
        externalScope: '',
        externalId: input.external_id,
        label: input.label ?? input.external_id,
        email: input.email ?? null,
        metadata: input.metadata ?? {},
        status: 'active',
        createdAt: now,
        updatedAt: now,
      };
      await manager.getRepository(StockUser).insert(user);
      const answer = {
        object: 'user',
        data: {
          id: user.id,
          object: 'user',
          external_id: user.externalId,
          label: user.label,
          email: user.email,
          metadata: user.metadata,
          wallets: [],
          status: user.status,
          created_at: now,
          updated_at: now,
        },
      };
      await claims.update(name, { answer: Buffer.from(JSON.stringify(answer)) });
      return answer;
    });
  }
}

@Controller('health')
class StockHealthController {
  @Get('ready')
  ready(): object {
    return { status: 'ready' };
  }
}

@Module({
  imports: [
    LoggerModule.forRoot({
      pinoHttp: {
        genReqId: (_request, response) => {
          const id = newId('request', new Date());
          response.setHeader('X-Request-Id', id);
          return id;
        },
        redact: ['req.headers.authorization'],
      },
    }),
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL']!,
      entities: STOCK_ENTITIES,
      poolSize: 10,
      // The schema of the partner contract.
      extra: { options: '-c search_path=live' },
    }),
    TypeOrmModule.forFeature(STOCK_ENTITIES),
  ],
  controllers: [StockWebhooksController, StockUsersController, StockHealthController],
  providers: [
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_FILTER, useClass: StockFilter },
  ],
})
class StockModule {}

const app = await NestFactory.create(StockModule, { bufferLogs: true });
app.useLogger(app.get(Logger));
app.use(helmet());
app.setGlobalPrefix('api/v1', { exclude: ['health/ready'] });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(process.env['PORT']), process.env['HOST']!);
process.on('SIGTERM', () => process.exit(0));
