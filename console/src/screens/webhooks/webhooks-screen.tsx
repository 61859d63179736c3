import { useRoute } from 'preact-iso';
import { Tabs } from '../../ui/tabs.js';
import { Screen } from '../../ui/screen.js';
import { Deliveries } from './deliveries.js';
import { Endpoints } from './endpoints.js';

const ROOT = '/console/webhooks';
const PARTS = [
  { name: 'Endpoints', path: ROOT },
  { name: 'Delivery log', path: `${ROOT}/deliveries` },
];

/** Endpoints, and the outcome of each delivery. */
export function WebhooksScreen() {
  const log = useRoute().params['part'] === 'deliveries';
  return (
    <Screen
      title="Webhooks"
      lead={
        log
          ? 'Every send, and the receiver’s answer.'
          : 'Receivers of yours. Each event is sent once, signed.'
      }
    >
      <Tabs name="Webhooks" tabs={PARTS} current={log ? `${ROOT}/deliveries` : ROOT} />
      {log ? <Deliveries /> : <Endpoints />}
    </Screen>
  );
}
