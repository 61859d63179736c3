/**
 * The deployment itself as owner of its administrators' endpoints: a row among the partners, so that everything about partners' endpoints applies. It
 * is no partner id: operations refuse it, and no key is bound to it.
 */
export const DEPLOYMENT = 'deployment';
