/** Scope in which an external id is unique. The deployment binds one of the rules below. */
export abstract class ExternalIds {
  /** Users of one scope have distinct external ids. The scope is stored with each user, and a constraint enforces it. */
  abstract scopeOf(partnerId: string): string;

  abstract readonly refusal: string;
}

/** One scope for all partners: the first to use an external id has it. */
export class ExternalIdsOfAll extends ExternalIds {
  readonly refusal =
    'A user with this external_id exists already. External ids are unique across all partners: add a prefix of your own.';

  scopeOf(): string {
    return '';
  }
}

/** A scope for each partner: ids of one partner do not affect another. */
export class ExternalIdsPerPartner extends ExternalIds {
  readonly refusal =
    'You have a user with this external_id already. Choose another one, or change that user (PATCH /users/{id}).';

  scopeOf(partnerId: string): string {
    return partnerId;
  }
}
