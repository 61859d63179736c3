import type { INestApplication } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS, type AccessRule } from './access.js';

export interface DeclaredRoute {
  /** `Class.method` */
  handler: string;
  rule: AccessRule | undefined;
}

/** Every handler of every controller, with what it declares. */
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
        }));
    });
}

/** @throws Error, and so stops the boot, when a route does not say who may call it */
export function requireDeclaredAccess(app: INestApplication): void {
  const silent = declaredRoutes(app).filter(({ rule }) => rule === undefined);
  if (silent.length > 0) {
    throw new Error(`These routes declare no access: ${silent.map(({ handler }) => handler).join(', ')}.`);
  }
}
