import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { curlOf, madeRequests } from '../api/requests.js';
import { CopyButton } from './copy-button.js';

interface ScreenProps {
  title: string;
  /** A sentence on what the screen is for. */
  lead?: ComponentChildren;
  /** The parent of a screen below another one. */
  above?: { name: string; path: string };
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A screen. Its heading takes the focus when it is opened, so that a screen reader announces it. */
export function Screen({ title, lead, above, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Vaultline`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      <header class="screen-head">
        <div>
          {above && (
            <p class="above">
              <a href={above.path}>{above.name}</a> <span aria-hidden="true">/</span>
            </p>
          )}
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {lead && <p class="screen-lead">{lead}</p>}
        </div>
        <div class="actions">
          {actions}
          <AsCurl />
        </div>
      </header>
      <div class="screen">{children}</div>
    </>
  );
}

/** The requests of the screen as commands, to be repeated in a terminal. */
function AsCurl() {
  const requests = madeRequests.value;
  const text = requests.map(curlOf).join('\n\n');
  return (
    <>
      <button type="button" class="small" popovertarget="as-curl">
        as curl
      </button>
      <div id="as-curl" popover="auto" class="popover" role="dialog" aria-label="This screen as curl">
        <header>
          <h2>This screen as curl</h2>
          <CopyButton text={text} name="all commands" />
        </header>
        <p>
          <code>$VAULTLINE_KEY</code> is your API key: the console does not store it.
        </p>
        <pre tabIndex={0} aria-label="Commands">
          {text || 'This screen has sent no request yet.'}
        </pre>
      </div>
    </>
  );
}
