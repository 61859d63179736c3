import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { useAction } from '../../ui/action.js';
import { Panel } from '../../ui/panel.js';
import { Refusal } from '../../ui/state.js';
import { EVENT_TYPES, type EventType } from '../webhooks/delivery-words.js';

/** Raises an event of any type, with synthetic data of the documented shape. */
export function EventPanel() {
  const [type, setType] = useState<EventType>('position.rebalanced');
  const [endpoint, setEndpoint] = useState('');
  const [data, setData] = useState('');
  const [raised, setRaised] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  const { busy, error, run } = useAction();
  const endpoints = useResource('endpoints', (signal) =>
    answered(api.GET('/webhooks', { params: { query: {} }, signal })),
  );
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setRaised(null);
    const fields = fieldsOf(data);
    setBroken(fields === null);
    if (fields === null) return;
    const body = { type, ...(endpoint && { webhook_id: endpoint }), ...(data.trim() && { data: fields }) };
    const record = await run(() => answered(api.POST('/simulation/events', { body })));
    if (record) setRaised(record.data.id);
  };
  return (
    <Panel title="Events" remark="Signed, sent and logged like a real one.">
      <form onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>Type</span>
          <select value={type} onChange={(event) => setType(event.currentTarget.value as EventType)}>
            {EVENT_TYPES.map((option) => (
              <option value={option} key={option}>
                {option}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>To</span>
          <select value={endpoint} onChange={(event) => setEndpoint(event.currentTarget.value)}>
            <option value="">All endpoints that subscribed</option>
            {(endpoints.data?.data ?? []).map(({ id, url }) => (
              <option value={id} key={id}>
                {url}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Fields that replace parts of its data, as JSON (optional)</span>
          <textarea
            rows={3}
            spellcheck={false}
            value={data}
            placeholder='{"amount": 12.5}'
            aria-invalid={broken}
            onInput={(event) => setData(event.currentTarget.value)}
          />
        </label>
        {broken && (
          <p class="refusal" role="alert">
            That is not a JSON object. Write it as {'{"amount": 12.5}'}, or leave it empty.
          </p>
        )}
        {error && <Refusal error={error} />}
        <p role="status" class="note">
          {raised && (
            <>
              Raised <code>{raised}</code>. <a href="/console/webhooks/deliveries">The delivery log</a> shows
              the outcome.
            </>
          )}
        </p>
        <button type="submit" disabled={busy}>
          Raise the event
        </button>
      </form>
    </Panel>
  );
}

/** @returns null where the text is not a JSON object */
function fieldsOf(text: string): Record<string, never> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, never>)
      : null;
  } catch {
    return null;
  }
}
