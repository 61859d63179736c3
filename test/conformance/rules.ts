import type { Contract } from './operations.js';
import type { Rule } from './rule.js';
import { accessRules } from './rules/access.rules.js';
import { alertsRules } from './rules/alerts.rules.js';
import { analyticsRules } from './rules/analytics.rules.js';
import { answersRules } from './rules/answers.rules.js';
import { campaignsRules } from './rules/campaigns.rules.js';
import { decisionsRules } from './rules/decisions.rules.js';
import { documentRules } from './rules/document.rules.js';
import { errorsRules } from './rules/errors.rules.js';
import { eventsRules } from './rules/events.rules.js';
import { filtersRules } from './rules/filters.rules.js';
import { idempotencyRules } from './rules/idempotency.rules.js';
import { keysRules } from './rules/keys.rules.js';
import { ledgerRules } from './rules/ledger.rules.js';
import { marketRules } from './rules/market.rules.js';
import { movesRules } from './rules/moves.rules.js';
import { pagingRules } from './rules/paging.rules.js';
import { partnersRules } from './rules/partners.rules.js';
import { payoutsRules } from './rules/payouts.rules.js';
import { policiesRules } from './rules/policies.rules.js';
import { positionsRules } from './rules/positions.rules.js';
import { reportsRules } from './rules/reports.rules.js';
import { reservesRules } from './rules/reserves.rules.js';
import { sessionsRules } from './rules/sessions.rules.js';
import { simulationRules } from './rules/simulation.rules.js';
import { statementsRules } from './rules/statements.rules.js';
import { upliftRules } from './rules/uplift.rules.js';
import { usersRules } from './rules/users.rules.js';
import { vaultsRules } from './rules/vaults.rules.js';
import { webhooksRules } from './rules/webhooks.rules.js';
import { withdrawalsRules } from './rules/withdrawals.rules.js';

/** In the order in which they run: what is asked of every answer comes last. */
const RULES: readonly Rule[] = [
  ...documentRules,
  ...accessRules,
  ...errorsRules,
  ...pagingRules,
  ...idempotencyRules,
  ...keysRules,
  ...sessionsRules,
  ...partnersRules,
  ...campaignsRules,
  ...usersRules,
  ...webhooksRules,
  ...alertsRules,
  ...vaultsRules,
  ...positionsRules,
  ...withdrawalsRules,
  ...payoutsRules,
  ...movesRules,
  ...reservesRules,
  ...policiesRules,
  ...simulationRules,
  ...ledgerRules,
  ...reportsRules,
  ...statementsRules,
  ...eventsRules,
  ...filtersRules,
  ...marketRules,
  ...decisionsRules,
  ...upliftRules,
  ...analyticsRules,
  ...answersRules,
];

/** Every rule that a contract promises. */
export const rulesFor = (contract: Contract): Rule[] =>
  RULES.filter(({ only }) => only === undefined || only === contract);
