/** Permissions of a key. */
export const SCOPES = ['read', 'write', 'keys:admin', 'partner:admin', 'partner:read'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that a key bound to a partner may hold. */
export const PARTNER_KEY_SCOPES: readonly Scope[] = ['partner:read', 'read'];
