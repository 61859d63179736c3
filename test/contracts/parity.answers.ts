import type { Contract } from '../../src/config/environment.js';
import type { Answer, Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { newTxHash, startMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';

/** Headers of the connection, and headers that an answer has only at times. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'date', 'content-length', 'etag', 'vary']);

interface Stage {
  app: TestApp;
  partner: TestPartner;
  /** The caller that opens positions and withdraws from them. */
  protocol: Api;
  close: () => Promise<void>;
}

/** Calls every operation that both contracts have, the same way in each. @returns the answers by operation */
export async function answersOf(contract: Contract): Promise<Map<string, Answer>> {
  const { app, partner, protocol, close } = await stage(contract);
  const receiver = await Receiver.start();
  const answers = new Map<string, Answer>();
  const call = async (operation: string, api: Api, path: string, body?: object): Promise<any> => {
    const [method = ''] = operation.split(' ');
    const answer = await api.send(method, path, body);
    if (answer.status >= 300) throw new Error(`${operation} answered ${answer.status}: ${answer.text}`);
    answers.set(operation, answer);
    return answer.body.data;
  };
  /** A settled transfer has a hash. */
  const settled = contract === 'partner' ? () => ({ tx_hash: newTxHash() }) : () => ({});
  try {
    const { admin } = app;
    const key = await call('POST /keys', admin, '/keys', { label: 'second' });
    await call('GET /keys', admin, '/keys');
    const rotated = await call('POST /keys/{id}/rotate', admin, `/keys/${key.id}/rotate`);
    await call('DELETE /keys/{id}', admin, `/keys/${rotated.id}`);
    const session = await call('POST /sessions', partner.api, '/sessions');
    await call('GET /sessions/current', admin.as(session.secret), '/sessions/current');
    await call('DELETE /sessions/current', admin.as(session.secret), '/sessions/current');
    const other = (await call('POST /partners', admin, '/partners', { name: 'Other' })).partner;
    await call('GET /partners', admin, '/partners');
    await call('GET /deployment', admin, '/deployment');
    await call('GET /partners/{id}', admin, `/partners/${other.id}`);
    const rules = { allowed_vaults: null, max_risk_tier: 'high', min_gain: 0.002, paused: false };
    await call('PUT /partners/{id}/policy', admin, `/partners/${partner.id}/policy`, rules);
    await call('GET /partners/{id}/policy', admin, `/partners/${partner.id}/policy`);
    await call('PUT /partner/policy', partner.api, '/partner/policy', rules);
    await call('GET /partner/policy', partner.api, '/partner/policy');
    await call('PATCH /partners/{id}', admin, `/partners/${other.id}`, { name: 'Renamed' });
    const campaigns = `/partners/${partner.id}/campaigns`;
    const campaign = await call('POST /partners/{id}/campaigns', admin, campaigns, { name: 'Spring' });
    await call('GET /partners/{id}/campaigns', admin, campaigns);
    const { api } = partner;
    const wallets = ['0x52908400098527886E0F7030069857D2E4169EE7'];
    const user = await call('POST /users', api, '/users', { external_id: 'parity', wallets });
    await call('PATCH /users/{id}', api, `/users/${user.id}`, { label: 'Renamed', wallets });
    const { id: idle } = (await api.post('/users', { external_id: 'idle' })).body.data;
    await call('DELETE /users/{id}', api, `/users/${idle}`);
    const webhook = await call('POST /webhooks', api, '/webhooks', { url: receiver.url });
    await call('GET /webhooks', api, '/webhooks');
    await call('POST /webhooks/{id}/test', api, `/webhooks/${webhook.id}/test`);
    const alerts = await call('POST /alerts/webhooks', admin, '/alerts/webhooks', { url: receiver.url });
    await call('GET /alerts/webhooks', admin, '/alerts/webhooks');
    await call('POST /alerts/webhooks/{id}/test', admin, `/alerts/webhooks/${alerts.id}/test`);
    await call('POST /webhooks/check', api, '/webhooks/check', { url: receiver.url });
    const rotation = `/webhooks/${webhook.id}/secret/rotate`;
    await call('POST /webhooks/{id}/secret/rotate', api, rotation, { previous_expires_in: 60 });
    const deposit = { user_id: user.id, asset: 'USDC', amount: 500 };
    await call('POST /positions/preview', api, '/positions/preview', { asset: 'USDC', amount: 500 });
    const position = await call('POST /positions', protocol, '/positions', { ...deposit, ...settled() });
    const withdrawals = `/positions/${position.id}/withdrawals`;
    await call('POST /positions/{id}/withdrawals', protocol, withdrawals, { amount: 1, ...settled() });
    await call('GET /positions', api, '/positions');
    await call('GET /positions/{id}', api, `/positions/${position.id}`);
    await call('GET /users/{id}/ledger', api, `/users/${user.id}/ledger`);
    await call('GET /partner/user/{id}/positions', api, `/partner/user/${user.id}/positions`);
    await call('GET /partner/yield/history/{asset}', api, '/partner/yield/history/USDC');
    await call('GET /yield/history/{asset}', api, '/yield/history/USDC');
    for (const report of [
      ...['summary', 'users', 'deposits', 'withdrawals', 'tvl', 'yield', 'points', 'revenue', 'history'],
    ])
      await call(`GET /partner/${report}`, api, `/partner/${report}`);
    // Both delivery logs are complete once the jobs have settled.
    await untilSettled(app);
    const [vault] = (await api.get('/vaults')).body.data;
    await call('GET /vaults/{id}/history', api, `/vaults/${vault.id}/history`);
    for (const path of ['/vaults', '/webhooks/events', '/events']) await call(`GET ${path}`, api, path);
    for (const part of ['signals', 'regime', 'uplift', 'decisions'])
      await call(`GET /analytics/${part}`, api, `/analytics/${part}`);
    const change = { status: 'disabled' };
    await call('PATCH /partners/{id}/campaigns/{campaignId}', admin, `${campaigns}/${campaign.id}`, change);
    if (contract === 'partner') await call('GET /webhooks/deliveries', api, '/webhooks/deliveries');
    await call('GET /alerts/events', admin, '/alerts/events');
    await call('DELETE /alerts/webhooks/{id}', admin, `/alerts/webhooks/${alerts.id}`);
    await call('DELETE /webhooks/{id}', api, `/webhooks/${webhook.id}`);
    return answers;
  } finally {
    await receiver.close();
    await close();
  }
}

async function stage(contract: Contract): Promise<Stage> {
  if (contract === 'partner') {
    const market = await startMarket('partner');
    await market.advance(60);
    const { app, partner, protocol } = market;
    return { app, partner, protocol, close: () => market.close() };
  }
  const app = await startApp('sandbox', {}, undefined, shortMarkets);
  const partner = await createPartner(app.admin);
  return { app, partner, protocol: partner.api, close: () => app.close() };
}

/**
 * The shape of an answer, a line each: its status, its headers, and every field with its type. A field that is null in one answer may have a value in
 * another.
 */
export function shapeOf({ status, headers, body }: Answer): Map<string, string> {
  const lines = new Map([['status', String(status)]]);
  for (const name of headers.keys()) if (!OF_THE_CONNECTION.has(name)) lines.set(`header ${name}`, 'sent');
  describe(body, 'answer', lines);
  return lines;
}

function describe(value: unknown, at: string, lines: Map<string, string>): void {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const known = lines.get(at);
  if (known === undefined || known === 'null') lines.set(at, kind);
  else if (kind !== 'null' && known !== kind) lines.set(at, `${known} or ${kind}`);
  if (Array.isArray(value)) for (const one of value) describe(one, `${at}[]`, lines);
  else if (kind === 'object')
    for (const [name, child] of Object.entries(value as object)) describe(child, `${at}.${name}`, lines);
}
