import { type INestApplication, RequestMethod, SetMetadata } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Scope } from '../../domain/tenants/access/scope.js';
import { ANSWER } from '../answer/envelope.js';

export type AccessRule =
  | 'public'
  | {
      /** Scopes, any one of which admits the call. */
      scopes: readonly Scope[];
      /** True: only a key bound to a partner is admitted. */
      partner?: boolean;
      /** False: a console session is refused; the key itself is required. */
      session?: false;
      /** True: a request without a key may carry a one-time code in its body. */
      code?: true;
    };

export const ACCESS = 'vaultline:access';

/** Metadata key of write operations that stay available while storage is nearly full. */
export const GOES_ON = 'vaultline:goes-on';

/** What a write changes that its path does not name: the policy or the simulated account of a partner, the caller's session, or nothing at all. */
export type Changes = 'policy' | 'account' | 'session' | 'nothing';

export const CHANGES = 'vaultline:changes';

/** Metadata key of handlers whose changes get an entry in the audit log. */
export const RECORDED = 'vaultline:recorded';

/** Declares who may call a route. A route without it is refused at boot and at every call. */
export const Access = (rule: AccessRule): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, rule);

interface DeclaredRoute {
  handler: string;
  rule: AccessRule | undefined;
  /** Whether the handler has `@Operation`, and with it a declared answer and a place in the document. */
  isOperation: boolean;
  /** Whether it changes nothing, or the audit log gets an entry of what it changes. */
  isAccounted: boolean;
}

/** Every handler of every controller, with its declared access. */
export function declaredRoutes(app: INestApplication): DeclaredRoute[] {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => {
      const prototype = (metatype as { prototype: Record<string, () => unknown> }).prototype;
      return scanner
        .getAllMethodNames(prototype)
        .map((name) => ({ name, method: prototype[name]! }))
        .filter(({ method }) => Reflect.hasMetadata(METHOD_METADATA, method))
        .map(({ name, method }) => ({
          handler: `${(metatype as { name: string }).name}.${name}`,
          rule: reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, [method, metatype as never]),
          isOperation: reflector.get<unknown>(ANSWER, method) !== undefined,
          isAccounted:
            Reflect.getMetadata(METHOD_METADATA, method) === RequestMethod.GET ||
            reflector.get<Changes | undefined>(CHANGES, method) === 'nothing' ||
            Reflect.hasMetadata(RECORDED, prototype, name),
        }));
    });
}

/** @throws Error at boot for a route that declares no access, takes a key without `@Operation`, or writes without an entry in the audit log */
export function requireDeclaredAccess(app: INestApplication): void {
  const routes = declaredRoutes(app);
  const handlers = (subset: readonly DeclaredRoute[]): string =>
    subset.map(({ handler }) => handler).join(', ');
  const silent = routes.filter(({ rule }) => rule === undefined);
  const plain = routes.filter(({ rule, isOperation }) => rule && rule !== 'public' && !isOperation);
  const unaccounted = routes.filter(({ rule, isAccounted }) => rule !== 'public' && !isAccounted);
  const problems = [
    ...(silent.length > 0 ? [`These routes declare no access: ${handlers(silent)}.`] : []),
    ...(plain.length > 0 ? [`These routes take a key but have no @Operation: ${handlers(plain)}.`] : []),
    ...(unaccounted.length > 0
      ? [`These routes write but take neither @Idempotent nor @Recorded: ${handlers(unaccounted)}.`]
      : []),
  ];
  if (problems.length > 0) throw new Error(problems.join(' '));
}
