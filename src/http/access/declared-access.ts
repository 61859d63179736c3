import type { INestApplication } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS, type AccessRule } from './access.js';
import { ANSWER } from '../answer/envelope.js';

export interface DeclaredRoute {
  /** `Class.method` */
  handler: string;
  rule: AccessRule | undefined;
  /** Whether the handler has `@Operation`, and with it a declared answer and a place in the document. */
  isOperation: boolean;
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
        }));
    });
}

/** @throws Error, and so stops the boot, when a route does not say who may call it, or takes a key and is no `@Operation` */
export function requireDeclaredAccess(app: INestApplication): void {
  const routes = declaredRoutes(app);
  const named = (some: readonly DeclaredRoute[]): string => some.map(({ handler }) => handler).join(', ');
  const silent = routes.filter(({ rule }) => rule === undefined);
  const plain = routes.filter(({ rule, isOperation }) => rule && rule !== 'public' && !isOperation);
  const problems = [
    ...(silent.length > 0 ? [`These routes declare no access: ${named(silent)}.`] : []),
    ...(plain.length > 0 ? [`These routes take a key and are no @Operation: ${named(plain)}.`] : []),
  ];
  if (problems.length > 0) throw new Error(problems.join(' '));
}
