import type { Schemas } from '../../api/contract.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Panel } from '../../ui/panel.js';

/** A key's secret: shown this once. */
export const NewKey = ({ created, onDone }: { created: Schemas['ApiKey']; onDone: () => void }) => (
  <Panel
    title={`The key “${created.label}”`}
    remark={`It may ${created.scopes.join(', ')}. It is shown this once: store it before you go on.`}
    class="secret"
    actions={
      <button type="button" onClick={onDone}>
        I have stored it
      </button>
    }
  >
    <p class="secret-line">
      <code>{created.secret}</code>
      <CopyButton text={created.secret} name="key" />
    </p>
  </Panel>
);
