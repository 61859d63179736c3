import { ID_PREFIXES, type IdKind } from './identifier.js';

/** Example id of a kind. `spare`: of a further record, for examples that would use up the first one. */
export const exampleId = (prefix: string, spare = 0): string =>
  `${prefix}_01kaabcdefghjkmnpqrstvwxy${spare === 0 ? 'z' : spare}`;

const of = (kind: IdKind, spare?: number): string => exampleId(ID_PREFIXES[kind], spare);

/** Ids of the demo records that `npm start` creates. Examples of documents name them, so that each can be sent as it stands. */
export const DEMO_IDS = {
  partner: of('partner'),
  campaign: of('campaign'),
  apiKey: of('apiKey'),
  revocableKey: of('apiKey', 1),
  user: of('user'),
  /** Without positions. */
  deletableUser: of('user', 1),
  position: of('position'),
  webhook: of('webhook'),
  deletableWebhook: of('webhook', 1),
  alertWebhook: of('webhook', 2),
  deletableAlertWebhook: of('webhook', 3),
  /** Of a deposit that was received, and is not in its vault yet. */
  receivedPosition: of('position', 1),
  /** Requested, and not taken; in the sandbox, settled. */
  move: of('move'),
  untakenMove: of('move', 1),
  arrivingMove: of('move', 2),
  failingMove: of('move', 3),
  /** Arrived with a gain that waits for a review. */
  gainingMove: of('move', 4),
  /** Arrived by a report that its chain contradicts. */
  contradictedMove: of('move', 5),
  /** Paid. */
  withdrawal: of('withdrawal'),
  untakenWithdrawal: of('withdrawal', 1),
  payableWithdrawal: of('withdrawal', 2),
  failingWithdrawal: of('withdrawal', 3),
  invoice: of('invoice'),
  /** Contradicted by its chain. */
  settlement: of('settlement'),
} as const;
