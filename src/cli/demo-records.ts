import type { INestApplicationContext } from '@nestjs/common';
import { KeyService } from '../domain/tenants/access/key.service.js';
import { AlertService } from '../domain/cycle/alerts/alert.service.js';
import { DEMO_IDS } from '../domain/kernel/demo-ids.js';
import { withIds } from '../domain/kernel/identifier.js';
import { PartnerService } from '../domain/tenants/partners/partner.service.js';
import { EndpointService } from '../domain/outbound/webhooks/endpoint.service.js';

/** Inactive: nobody receives there, and failures would be the first thing that the demo shows. */
const ENDPOINT = {
  url: 'https://hooks.acme.example/vaultline',
  description: 'Ledger service',
  active: false,
};

/**
 * Creates a demo partner under the ids that examples of documents name, and the endpoints and keys that they name. A second demo partner gets new
 * ids, and none of these records.
 * @param create creates two users at least, the first of them without positions
 */
export async function withDemoRecords<T extends { partnerId: string }>(
  context: INestApplicationContext,
  create: () => Promise<T>,
): Promise<T> {
  if (await isTaken(context, DEMO_IDS.partner)) return create();
  const ids = {
    partner: [DEMO_IDS.partner],
    campaign: [DEMO_IDS.campaign],
    user: [DEMO_IDS.deletableUser, DEMO_IDS.user],
    position: [DEMO_IDS.position],
  };
  const created = await withIds(ids, create);
  const further = {
    apiKey: [DEMO_IDS.apiKey, DEMO_IDS.revocableKey],
    webhook: [
      DEMO_IDS.webhook,
      DEMO_IDS.deletableWebhook,
      DEMO_IDS.alertWebhook,
      DEMO_IDS.deletableAlertWebhook,
    ],
  };
  await withIds(further, async () => {
    for (const label of ['Demo reader', 'Second demo reader'])
      await context.get(KeyService).create({ label });
    for (let n = 0; n < 2; n++) await context.get(EndpointService).register(created.partnerId, ENDPOINT);
    for (let n = 0; n < 2; n++) await context.get(AlertService).register(ENDPOINT);
  });
  return created;
}

const isTaken = (context: INestApplicationContext, partnerId: string): Promise<boolean> =>
  context
    .get(PartnerService)
    .get(partnerId)
    .then(
      () => true,
      () => false,
    );
