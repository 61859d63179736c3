/**
 * The deployment itself, as the owner of endpoints that its administrators register: a row among the partners, so that all that holds for a partner's endpoints holds for these. It
 * is no partner's id: no operation that asks for one admits it, and no key is bound to it.
 */
export const DEPLOYMENT = 'deployment';
