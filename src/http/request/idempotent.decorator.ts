import { RECORDED } from '../access/access.js';
import { IdempotencyPipe } from './idempotency.pipe.js';
import { ContextParam } from './recorded.decorator.js';

const IDEMPOTENT = 'vaultline:idempotent';

/** Parameter of a POST's handler: its `Once`. The input is valid by then. */
export const Idempotent = (): ParameterDecorator => (target, name, index) => {
  for (const mark of [IDEMPOTENT, RECORDED]) Reflect.defineMetadata(mark, true, target, name!);
  ContextParam(IdempotencyPipe)(target, name, index);
};

/** Whether a handler takes `Once`; known to decorators of the method. */
export const isIdempotent = (target: object, name: string): boolean =>
  Reflect.hasMetadata(IDEMPOTENT, target, name);
