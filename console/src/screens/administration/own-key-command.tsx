import { CopyButton } from '../../ui/copy-button.js';

interface OwnKeyCommandProps {
  command: string;
  makes: string;
  /** Whether the form has all that the command needs. */
  isValid: boolean;
}

/** A request for a terminal, with the operator's own key: a session that is stolen from a browser must not be able to create lasting keys. */
export function OwnKeyCommand({ command, makes, isValid }: OwnKeyCommandProps) {
  if (!isValid) return <p class="note">Fill in the form: its command is shown then.</p>;
  return (
    <>
      <p class="note">
        A session makes no keys. Run this with an administrator’s key in <code>$VAULTLINE_KEY</code>; its
        answer shows the new key once.
      </p>
      <pre tabIndex={0} aria-label={`Command that makes the ${makes}`}>
        {command}
      </pre>
      <p class="dialog-actions">
        <CopyButton text={command} name="command" named />
      </p>
    </>
  );
}
