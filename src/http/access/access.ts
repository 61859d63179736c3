import { SetMetadata } from '@nestjs/common';
import type { Scope } from '../../domain/access/scope.js';

/** Who may call an operation. */
export type AccessRule =
  | 'public'
  | {
      /** Any one of them admits the call. */
      scopes: readonly Scope[];
      /** True: only a key bound to a partner. */
      partner?: boolean;
      /** False: no session, but a key itself. */
      session?: false;
      /** True: a request without a key may have a one-time code in its body. */
      code?: true;
    };

export const ACCESS = 'vaultline:access';

/** Marks what goes on while storage is nearly full, although it is a write. */
export const GOES_ON = 'vaultline:goes-on';

/** Declares who may call a route. A route without it is refused at boot and at every call. */
export const Access = (rule: AccessRule): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, rule);
