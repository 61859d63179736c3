import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { EVENT_TYPES, type EventType } from './delivery-words.js';
import { EndpointForm } from './endpoint-form.js';

export function CreateEndpoint({ onCreated }: { onCreated: (endpoint: Schemas['Webhook']) => void }) {
  const [events, setEvents] = useState<readonly EventType[]>(EVENT_TYPES);
  const tick = (type: EventType, on: boolean): void =>
    setEvents(EVENT_TYPES.filter((one) => (one === type ? on : events.includes(one))));
  return (
    <EndpointForm
      placeholder="https://hooks.example.com/vaultline"
      isComplete={events.length > 0}
      create={(body) => answered(api.POST('/webhooks', { body: { ...body, events: [...events] } }))}
      onCreated={onCreated}
    >
      <fieldset>
        <legend>Events</legend>
        {EVENT_TYPES.map((type) => (
          <label class="tick" key={type}>
            <input
              type="checkbox"
              checked={events.includes(type)}
              onChange={(event) => tick(type, event.currentTarget.checked)}
            />
            <code>{type}</code>
          </label>
        ))}
      </fieldset>
    </EndpointForm>
  );
}
