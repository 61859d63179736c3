export const SCOPES = ['read', 'write', 'keys:admin', 'partner:admin', 'partner:read'] as const;
export type Scope = (typeof SCOPES)[number];

export const PARTNER_KEY_SCOPES: readonly Scope[] = ['partner:read', 'read'];
