import { useEffect, useState } from 'preact/hooks';

interface CopyButtonProps {
  text: string;
  /** A name of the text to copy. */
  name: string;
  /** Whether the button shows the name. */
  named?: boolean;
}

export function CopyButton({ text, name, named = false }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    // The clipboard API exists in secure contexts only: on loopback, but not on plain http of another host.
    const writing = (navigator.clipboard as Clipboard | undefined)?.writeText(text);
    if (!writing) return setSaid('Select and copy it by hand');
    writing.then(
      () => setSaid('Copied'),
      () => setSaid('Select and copy it by hand'),
    );
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {said ?? 'Copy'}
      {(!named || said === null) && <span class={named ? undefined : 'heard'}> {name}</span>}
      <span class="heard" role="status">
        {said}
      </span>
    </button>
  );
}

/** The id of a record, and the link to its screen. */
export const RecordId = ({ id }: { id: string }) => (
  <>
    <code>{id}</code> <CopyButton text={location.href} name="link" named />
  </>
);
