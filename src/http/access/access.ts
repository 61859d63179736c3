import { SetMetadata } from '@nestjs/common';
import type { Scope } from '../../domain/tenants/access/scope.js';

/** Access rule of an operation. */
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

/** What a write changes that its path does not name: the policy or the simulated account of a partner, or nothing at all. */
export type Changes = 'policy' | 'account' | 'nothing';

/** Metadata key of an operation's `Changes`. */
export const CHANGES = 'vaultline:changes';

/** Declares who may call a route. A route without it is refused at boot and at every call. */
export const Access = (rule: AccessRule): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, rule);
