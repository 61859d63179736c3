import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useAction } from '../../ui/action.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Refusal } from '../../ui/state.js';

type Check = Schemas['WebhookCheck'];

const STEPS: Record<Check['steps'][number]['step'], string> = {
  parse: 'The URL is well-formed',
  resolve: 'Its name resolves',
  judge: 'Its address may be sent to',
  connect: 'It accepts a connection',
  tls: 'Its certificate is valid',
  answer: 'It answers with 2xx',
};

/** Tries a receiver like a send, and shows each step. */
export function CheckReceiver({ url: initial }: { url: string }) {
  const [url, setUrl] = useState(initial);
  const [check, setCheck] = useState<Check | null>(null);
  const { busy, error, run } = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setCheck(null);
    const done = await run(() => answered(api.POST('/webhooks/check', { body: { url: url.trim() } })));
    setCheck(done?.data ?? null);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>URL to check</span>
        <input type="url" required value={url} onInput={(event) => setUrl(event.currentTarget.value)} />
      </label>
      <p class="note">It is tried like a send, with one signed test event. Nothing is stored.</p>
      {error && <Refusal error={error} />}
      <div role="status">{check && <Checked check={check} />}</div>
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Checking' : 'Check'}
        </button>
      </p>
    </form>
  );
}

function Checked({ check: { passed, steps, secret, signature, payload } }: { check: Check }) {
  const body = JSON.stringify(payload);
  return (
    <>
      <ol class="steps">
        {steps.map(({ step, passed: good, message }) => (
          <li key={step}>
            <span class={good ? 'pass' : 'fail'} role="img" aria-label={outcomeOf(good)}>
              {good === null ? '·' : good ? '✓' : '✕'}
            </span>
            <div>
              <strong>{STEPS[step]}</strong>
              <p class="note">{message}</p>
            </div>
          </li>
        ))}
      </ol>
      <p class={passed ? 'said good' : 'said bad'}>
        {passed ? 'An event would be delivered there.' : 'An event would not be delivered there.'}
      </p>
      {secret && (
        <div class="button-row">
          <CopyButton text={secret} name="secret of this check" named />
          <CopyButton text={signature ?? ''} name="signature" named />
          <CopyButton text={body} name="payload" named />
        </div>
      )}
    </>
  );
}

const outcomeOf = (passed: boolean | null): string =>
  passed === null ? 'not tried' : passed ? 'passed' : 'failed';
