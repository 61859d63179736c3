import type { ComponentChildren } from 'preact';
import { CopyButton } from '../../ui/copy-button.js';
import { Panel } from '../../ui/panel.js';
import { Snippets } from './snippets.js';

interface NewSecretProps {
  endpoint: { url: string; secret: string };
  onDone: () => void;
  /** What else there is to know of it. */
  children?: ComponentChildren;
}

/** A new signing secret, shown only once, with the receiver's code that uses it. */
export const NewSecret = ({ endpoint, onDone, children }: NewSecretProps) => (
  <Panel
    title="The signing secret"
    remark={`Of ${endpoint.url}. It is shown this once: store it where the receiver finds it.`}
    class="secret"
    actions={
      <button type="button" onClick={onDone}>
        I have stored it
      </button>
    }
  >
    <p class="secret-line">
      <code>{endpoint.secret}</code>
      <CopyButton text={endpoint.secret} name="signing secret" />
    </p>
    {children}
    <p class="note">
      The HMAC key is the whole text, <code>whsec_</code> included. Verify the bytes as they arrived, before
      any JSON parser.
    </p>
    <Snippets />
  </Panel>
);
