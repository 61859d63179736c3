// Generated from the OpenAPI document of this contract by `npm run openapi`. Do not edit.

import { Client } from '../client.js';
import type { paths } from './partner.js';

export abstract class PartnerOperations extends Client<paths> {
  /** Report that a deposit is in its vault. */
  readonly allocatePosition = this.calls.create('/positions/{id}/allocated');

  /** Bound a partner's policy. */
  readonly boundPartnerPolicy = this.calls.replace('/partners/{id}/policy');

  /** Check a receiver. */
  readonly checkWebhook = this.calls.create('/webhooks/check');

  /** Register a receiver of alerts. */
  readonly createAlertWebhook = this.calls.create('/alerts/webhooks');

  /** Create a campaign. */
  readonly createCampaign = this.calls.create('/partners/{id}/campaigns');

  /** Create an API key. */
  readonly createKey = this.calls.create('/keys');

  /** Create a partner. */
  readonly createPartner = this.calls.create('/partners');

  /** Record a settled deposit. */
  readonly createPosition = this.calls.create('/positions');

  /** Sign in. */
  readonly createSession = this.calls.create('/sessions');

  /** Create an end-user. */
  readonly createUser = this.calls.create('/users');

  /** Register a webhook. */
  readonly createWebhook = this.calls.create('/webhooks');

  /** Withdraw an end-user's money. */
  readonly createWithdrawal = this.calls.create('/users/{id}/withdrawals');

  /** Delete a receiver of alerts. */
  readonly deleteAlertWebhook = this.calls.remove('/alerts/webhooks/{id}');

  /** Delete an end-user. */
  readonly deleteUser = this.calls.remove('/users/{id}');

  /** Delete a webhook. */
  readonly deleteWebhook = this.calls.remove('/webhooks/{id}');

  /** Sign out. */
  readonly endCurrentSession = this.calls.remove('/sessions/current');

  /** End a vault's quarantine. */
  readonly endQuarantine = this.calls.remove('/vaults/{id}/quarantine');

  /** Read the deployment's health. */
  readonly getDeployment = this.calls.read('/deployment');

  /** Get a partner. */
  readonly getPartner = this.calls.read('/partners/{id}');

  /** List receivers of alerts. */
  readonly listAlertWebhooks = this.calls.list('/alerts/webhooks');

  /** List alerts. */
  readonly listAlerts = this.calls.list('/alerts/events');

  /** List changes. */
  readonly listAudit = this.calls.list('/audit');

  /** List campaigns. */
  readonly listCampaigns = this.calls.list('/partners/{id}/campaigns');

  /** List decisions. */
  readonly listDecisions = this.calls.list('/analytics/decisions');

  /** List events. */
  readonly listEvents = this.calls.list('/events');

  /** List API keys. */
  readonly listKeys = this.calls.list('/keys');

  /** List moves. */
  readonly listMoves = this.calls.list('/moves');

  /** List changes by your keys and of your terms. */
  readonly listPartnerAudit = this.calls.list('/partner/audit');

  /** Read the journal. */
  readonly listPartnerJournal = this.calls.list('/partner/journal');

  /** Read the ledger. */
  readonly listPartnerLedger = this.calls.list('/partner/ledger');

  /** Read a statement by end-user. */
  readonly listPartnerStatementUsers = this.calls.list('/partner/statements/{period}/users');

  /** List statements. */
  readonly listPartnerStatements = this.calls.list('/partner/statements');

  /** List your terms. */
  readonly listPartnerTerms = this.calls.list('/partner/terms');

  /** List end-users. */
  readonly listPartnerUsers = this.calls.list('/partner/users');

  /** List partners. */
  readonly listPartners = this.calls.list('/partners');

  /** List positions. */
  readonly listPositions = this.calls.list('/positions');

  /** List past reserves. */
  readonly listReserves = this.calls.list('/reserves/history');

  /** List settlements. */
  readonly listSettlements = this.calls.list('/settlements');

  /** List signals. */
  readonly listSignals = this.calls.list('/analytics/signals');

  /** List a partner's terms. */
  readonly listTermsOfPartner = this.calls.list('/partners/{id}/terms');

  /** Read an end-user's ledger. */
  readonly listUserLedger = this.calls.list('/users/{id}/ledger');

  /** List an end-user's positions. */
  readonly listUserPositions = this.calls.list('/partner/user/{id}/positions');

  /** List an end-user's withdrawals. */
  readonly listUserWithdrawals = this.calls.list('/users/{id}/withdrawals');

  /** List vaults. */
  readonly listVaults = this.calls.list('/vaults');

  /** List deliveries. */
  readonly listWebhookDeliveries = this.calls.list('/webhooks/deliveries');

  /** List event types. */
  readonly listWebhookEventTypes = this.calls.read('/webhooks/events');

  /** List webhooks. */
  readonly listWebhooks = this.calls.list('/webhooks');

  /** List withdrawals. */
  readonly listWithdrawals = this.calls.list('/withdrawals');

  /** Preview a deposit. */
  readonly previewPosition = this.calls.create('/positions/preview');

  /** Preview a withdrawal. */
  readonly previewWithdrawal = this.calls.create('/users/{id}/withdrawals/preview');

  /** Read who is signed in. */
  readonly readCurrentSession = this.calls.read('/sessions/current');

  /** Read a move. */
  readonly readMove = this.calls.find('/moves/{id}');

  /** Read deposits. */
  readonly readPartnerDeposits = this.calls.find('/partner/deposits');

  /** Read daily closings. */
  readonly readPartnerHistory = this.calls.find('/partner/history');

  /** Read points. */
  readonly readPartnerPoints = this.calls.find('/partner/points');

  /** Read a partner's policy. */
  readonly readPartnerPolicy = this.calls.find('/partners/{id}/policy');

  /** Read the revenue share. */
  readonly readPartnerRevenue = this.calls.find('/partner/revenue');

  /** Read a statement. */
  readonly readPartnerStatement = this.calls.read('/partner/statements/{period}');

  /** Read the summary. */
  readonly readPartnerSummary = this.calls.find('/partner/summary');

  /** Read net TVL. */
  readonly readPartnerTvl = this.calls.find('/partner/tvl');

  /** Read withdrawals. */
  readonly readPartnerWithdrawals = this.calls.find('/partner/withdrawals');

  /** Read yield. */
  readonly readPartnerYield = this.calls.find('/partner/yield');

  /** Read an asset's yield history (alias). @deprecated */
  readonly readPartnerYieldHistory = this.calls.find('/partner/yield/history/{asset}');

  /** Read your policy. */
  readonly readPolicy = this.calls.find('/partner/policy');

  /** Read a position. */
  readonly readPosition = this.calls.read('/positions/{id}');

  /** Read the rate regime. */
  readonly readRegime = this.calls.find('/analytics/regime');

  /** Read the reserves. */
  readonly readReserves = this.calls.read('/reserves');

  /** Read the uplift. */
  readonly readUplift = this.calls.find('/analytics/uplift');

  /** Get an end-user. */
  readonly readUser = this.calls.read('/users/{id}');

  /** Read a vault's history. */
  readonly readVaultHistory = this.calls.find('/vaults/{id}/history');

  /** Read a withdrawal. */
  readonly readWithdrawal = this.calls.find('/withdrawals/{id}');

  /** Read an asset's yield history. */
  readonly readYieldHistory = this.calls.find('/yield/history/{asset}');

  /** Replace your policy. */
  readonly replacePolicy = this.calls.replace('/partner/policy');

  /** Report that a move is not executed. */
  readonly reportMoveFailed = this.calls.create('/moves/{id}/failed');

  /** Report that the funds left their vault. */
  readonly reportMoveRedeemed = this.calls.create('/moves/{id}/redeemed');

  /** Report that the funds are in their new vault. */
  readonly reportMoveSettled = this.calls.create('/moves/{id}/settled');

  /** Report that a withdrawal is not paid. */
  readonly reportWithdrawalFailed = this.calls.create('/withdrawals/{id}/failed');

  /** Report that a withdrawal is paid. */
  readonly reportWithdrawalPaid = this.calls.create('/withdrawals/{id}/paid');

  /** Resolve a contradicted report. */
  readonly resolveMove = this.calls.create('/moves/{id}/resolve');

  /** Resolve a settlement. */
  readonly resolveSettlement = this.calls.create('/settlements/{id}/resolve');

  /** Review a gain. */
  readonly reviewMove = this.calls.create('/moves/{id}/review');

  /** Revoke an API key. */
  readonly revokeKey = this.calls.remove('/keys/{id}');

  /** Rotate an API key. */
  readonly rotateKey = this.calls.create('/keys/{id}/rotate');

  /** Replace a signing secret. */
  readonly rotateWebhookSecret = this.calls.create('/webhooks/{id}/secret/rotate');

  /** Take up a move. */
  readonly takeMove = this.calls.create('/moves/{id}/taken');

  /** Take up a withdrawal. */
  readonly takeWithdrawal = this.calls.act('/withdrawals/{id}/taken');

  /** Send a test event to a receiver of alerts. */
  readonly testAlertWebhook = this.calls.act('/alerts/webhooks/{id}/test');

  /** Send a test event. */
  readonly testWebhook = this.calls.act('/webhooks/{id}/test');

  /** Update a campaign. */
  readonly updateCampaign = this.calls.change('/partners/{id}/campaigns/{campaignId}');

  /** Update a partner. */
  readonly updatePartner = this.calls.change('/partners/{id}');

  /** Update an end-user. */
  readonly updateUser = this.calls.change('/users/{id}');

  /** Update a webhook. */
  readonly updateWebhook = this.calls.change('/webhooks/{id}');

  /** Record a settled withdrawal. */
  readonly withdrawPosition = this.calls.create('/positions/{id}/withdrawals');
}
