import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { type Act, AuditLog } from '../../domain/tenants/audit/audit-log.js';
import { CHANGES, type Changes, RECORDED } from '../access/access.js';
import { callerAddress } from '../access/caller.js';

/** Parameter of a handler that a pipe creates from its context. */
export const ContextParam = createParamDecorator((_: unknown, context: ExecutionContext) => context);

/** The change that a request asks for, as the audit log records it. */
export function actOf(reflector: Reflector, context: ExecutionContext): Act {
  const request = context.switchToHttp().getRequest<Request>();
  const { keyId, label, partnerId, sessionId } = request.caller!;
  const changes = reflector.get<Changes | undefined>(CHANGES, context.getHandler());
  const subjects = Object.values(request.params).filter((value) => typeof value === 'string');
  // A one-time code is a secret.
  const { code: _, ...input } = (request.body ?? {}) as Record<string, unknown>;
  return {
    actor: { kind: sessionId === null ? 'key' : 'session', keyId, sessionId, label, partnerId },
    address: callerAddress(request),
    operation: context.getHandler().name,
    requestId: request.requestId,
    subjects:
      subjects.length > 0 || changes === undefined
        ? subjects
        : [changes === 'session' ? sessionId! : partnerId!],
    ...(changes === 'policy' && { policyOf: subjects[0] ?? partnerId! }),
    ...(changes === 'account' && { accountOf: partnerId! }),
    input,
  };
}

/** Runs the change of a request in a transaction with its entry in the audit log; a request that changes nothing has none. */
export type RecordedWork = <T>(work: () => Promise<T>) => Promise<T>;

@Injectable()
export class RecordingPipe implements PipeTransform<ExecutionContext, RecordedWork> {
  constructor(
    private readonly audit: AuditLog,
    private readonly reflector: Reflector,
  ) {}

  transform(context: ExecutionContext): RecordedWork {
    return (work) => this.audit.record({ ...actOf(this.reflector, context), setsFields: true }, work);
  }
}

/** Parameter of a PUT's, PATCH's or DELETE's handler: its `RecordedWork`. A POST's `Once` records by itself. */
export const Recorded = (): ParameterDecorator => (target, name, index) => {
  Reflect.defineMetadata(RECORDED, true, target, name!);
  ContextParam(RecordingPipe)(target, name, index);
};
