import { Body, Controller, Delete, Get, Headers, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import type { Caller } from '../../domain/tenants/access/authenticator.js';
import { SCOPES } from '../../domain/tenants/access/scope.js';
import {
  MAX_SESSION_SECONDS,
  sessionScopes,
  SessionService,
} from '../../domain/tenants/access/session.service.js';
import { SignInCodes } from '../../domain/tenants/access/sign-in-code.service.js';
import { DomainError, invalid } from '../../domain/kernel/domain-error.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { CurrentCaller } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { codeRefused } from '../../http/access/sign-in.js';
import {
  CreatedSessionOutputDto,
  createdSessionView,
  CreateSessionInputDto,
  EndedSession,
  Session,
  sessionView,
} from './session.dto.js';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionService,
    private readonly codes: SignInCodes,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Operation({
    summary: 'Sign in',
    description:
      'Creates a session, which a browser holds instead of a key. It is sent like a key, has the given `scopes`, and ends after at most twelve hours, on sign-out, or with its key; it cannot create keys or sessions. A key has at most 20 sessions: another one ends the oldest.',
    access: { scopes: SCOPES, session: false, code: true },
    success: {
      status: 201,
      object: 'session',
      data: CreatedSessionOutputDto,
      description: 'The session, with its secret.',
    },
    extension: true,
  })
  createSession(
    @CurrentCaller() caller: Caller,
    @Headers('authorization') authorization: string | undefined,
    @Body()
    { scopes: requestedScopes, expires_in: seconds = MAX_SESSION_SECONDS, code }: CreateSessionInputDto,
    @Idempotent() once: Once<CreatedSessionOutputDto>,
  ) {
    if (code !== undefined && authorization !== undefined)
      throw invalid('code', 'cannot be combined with a key in Authorization');
    // Whoever printed the console link has the key, so the session gets all its scopes by default.
    const scopes = sessionScopes(
      caller.scopes,
      code === undefined ? requestedScopes : (requestedScopes ?? [...caller.scopes]),
    );
    return once(async () => {
      if (code !== undefined && !(await this.codes.use(code))) throw codeRefused('used');
      return createdSessionView(
        await this.sessions.create(caller, scopes, seconds),
        this.settings.environment,
      );
    });
  }

  @Get('current')
  @Operation({
    summary: 'Read who is signed in',
    description: 'The session or key of this request: its scopes, partner and expiry.',
    access: { scopes: SCOPES },
    success: { object: 'session', data: Session, description: 'The session or key of the request.' },
    extension: true,
  })
  async readCurrentSession(@CurrentCaller() caller: Caller) {
    return sessionView(await this.sessions.current(caller), this.settings.environment);
  }

  @Delete('current')
  @Operation({
    summary: 'Sign out',
    description:
      'Ends the session of this request. Every replica refuses it once this call has returned. With a key the answer is 404: keys are revoked, not signed out.',
    access: { scopes: SCOPES },
    success: { object: 'session', data: EndedSession, description: 'The session has ended.' },
    errors: ['not_found'],
    changes: 'session',
    extension: true,
  })
  async endCurrentSession(
    @CurrentCaller() { sessionId }: Caller,
    @Recorded() recorded: RecordedWork,
  ): Promise<EndedSession> {
    if (sessionId === null)
      throw new DomainError(
        'not_found',
        'There is no session: this is the API key itself. Revoke it with DELETE /keys/{id}.',
      );
    return recorded(async () => {
      await this.sessions.end(sessionId);
      return { id: sessionId, object: 'session', ended: true };
    });
  }
}
