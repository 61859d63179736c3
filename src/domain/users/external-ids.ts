/** Among whose users an external id is unique. The deployment binds one of the rules below. */
export abstract class ExternalIds {
  /** No two users of one scope have the same external id. Stored with each user: the database keeps the rule. */
  abstract scopeOf(partnerId: string): string;

  /** What is said to a partner whose external id is taken. */
  abstract readonly refusal: string;
}

/** One scope for all partners: who asks first has the external id. */
export class ExternalIdsOfAll extends ExternalIds {
  readonly refusal =
    'A user with this external_id exists already. It is unique over all partners: prefix it with a name of yours.';

  scopeOf(): string {
    return '';
  }
}

/** A scope for each partner: nothing that one names is taken from another. */
export class ExternalIdsPerPartner extends ExternalIds {
  readonly refusal =
    'You have a user with this external_id already. Choose another one, or change that user (PATCH /users/{id}).';

  scopeOf(partnerId: string): string {
    return partnerId;
  }
}
