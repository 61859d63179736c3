import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Settings } from '../../config/settings.js';
import { HttpError } from '../answer/http-error.js';

/** Express's record of a route. */
interface Layer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** Operation of the other contract that this one leaves out. */
export interface AbsentOperation {
  method: string;
  /** Path template below the API root, with `:id` for a parameter. */
  path: string;
}

/** Tells an unknown path (404) from a known one that was called with another method (405). */
@Injectable()
export class RouteTable {
  private absent: { method: string; pattern: RegExp }[] = [];

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  /** An operation that the contract leaves out is `route_not_found`, even when its path exists under another method. */
  declareAbsent(operations: readonly AbsentOperation[], apiRoot: string): void {
    this.absent = operations.map(({ method, path }) => ({
      method,
      pattern: new RegExp(`^/${apiRoot}${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
    }));
  }

  /** Error for a method and path without a route. */
  refusal(method: string, path: string): HttpError {
    const allowed = this.allowedMethods(path);
    const leftOut = this.absent.some(
      (operation) =>
        operation.method === (method === 'HEAD' ? 'GET' : method) && operation.pattern.test(path),
    );
    if (allowed.length === 0 || leftOut) {
      const hint = this.settings.docs ? ' See /docs for all operations.' : '';
      return new HttpError('route_not_found', `There is no ${method} ${printable(path)} here.${hint}`);
    }
    return new HttpError('method_not_allowed', `This path answers to ${allowed.join(', ')}.`, {
      headers: { Allow: allowed.join(', ') },
    });
  }

  private allowedMethods(path: string): string[] {
    const stack = this.adapter.httpAdapter.getInstance<{ router: { stack: Layer[] } }>().router.stack;
    const methods = new Set<string>();
    for (const layer of stack) {
      if (layer.route && matches(layer, path)) {
        for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
      }
    }
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

const printable = (path: string): string => path.slice(0, 200).replace(/[^\x21-\x7e]/g, '?');
