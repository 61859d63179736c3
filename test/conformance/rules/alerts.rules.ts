import { dataOf, equals, holds, made, matches, refused, shows } from '../check.js';
import { listedOnce } from '../listed.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';

/** Works with a receiver of alerts, which is gone afterwards. */
export async function withReceiver(stage: Stage, work: (endpoint: any) => Promise<void>): Promise<void> {
  const url = `https://${stage.run}.invalid/alerts`;
  const endpoint = made(await stage.admin.post('/alerts/webhooks', { url, description: stage.run }));
  try {
    await work(endpoint);
  } finally {
    made(await stage.admin.delete(`/alerts/webhooks/${endpoint.id}`));
  }
}

export const alertsRules = rulesOf('alerts', {
  registered: [
    'An administrator registers and deletes a receiver of alerts, which gets system.status only and shows its secret once.',
    async (stage) => {
      let id = '';
      await withReceiver(stage, async (endpoint) => {
        ({ id } = endpoint);
        shows('the receiver', endpoint, { object: 'webhook', events: ['system.status'], active: true });
        matches('secret', endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
        const listed = await stage.admin.get('/alerts/webhooks?limit=500');
        const shown = dataOf(listed, 200).find((row: any) => row.id === id);
        equals('its secret in the list', shown?.secret, `whsec_****${endpoint.secret.slice(-4)}`, listed);
      });
      refused(await stage.admin.delete(`/alerts/webhooks/${id}`), 404, 'not_found');
      const metadata = await stage.admin.post('/alerts/webhooks', { url: 'https://169.254.169.254/' });
      refused(metadata, 422, 'webhook_url_forbidden');
    },
  ],
  tested: [
    'A test send to a receiver of alerts returns its delivery, and its event is in the log of alerts.',
    (stage) =>
      withReceiver(stage, async ({ id }) => {
        const answer = await stage.admin.post(`/alerts/webhooks/${id}/test`);
        const { payload, ...record } = dataOf(answer, 200);
        const failed = { object: 'delivery', webhook_id: id, event: 'system.status', status: 'failed' };
        shows('the record', record, failed, answer);
        const isKept = (events: any[]): boolean => events.some((event) => event.id === payload.id);
        const path = '/alerts/events?limit=500';
        const log = await listedOnce(stage.admin, path, (events) => isKept(events) || events.length === 500);
        holds(isKept(log.body.data) || log.body.meta.has_more, 'the log does not show it', log);
      }),
  ],
  apart: [
    'Partners cannot read or delete receivers of alerts, and endpoints of partners are not among them.',
    (stage) =>
      withReceiver(stage, async ({ id }) => {
        const { caller } = await stage.partner();
        const webhook = await stage.webhook();
        const listed = await caller.get('/webhooks?limit=500');
        holds(!listed.text.includes(id), 'a partner sees a receiver of alerts', listed);
        refused(await caller.delete(`/webhooks/${id}`), 404, 'not_found');
        refused(await caller.get('/alerts/events'), 403, 'insufficient_scope');
        refused(await stage.admin.delete(`/alerts/webhooks/${webhook.id}`), 404, 'not_found');
      }),
  ],
});
