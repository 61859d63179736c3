import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { useResource } from '../api/resource.js';
import { holds } from '../api/session.js';
import { listUsers, type User } from '../api/users.js';
import { Dialog } from '../ui/dialog.js';
import { Refusal } from '../ui/state.js';
import { isOpen } from './places.js';

/** Screens of a record by the prefix of its id. */
const SCREENS: Record<string, (id: string) => [path: string, name: string]> = {
  usr: (id) => [`/console/users/${id}`, 'End-user'],
  pos: (id) => [`/console/positions/${id}`, 'Position'],
  dec: (id) => [`/console/decisions/${id}`, 'Decision'],
  evt: (id) => [`/console/webhooks/deliveries?q=${id}`, 'Deliveries of the event'],
  del: (id) => [`/console/webhooks/deliveries?q=${id}`, 'Delivery'],
  wh: (id) => [`/console/webhooks/endpoints/${id}`, 'Endpoint'],
  mov: (id) => [`/console/orders/${id}`, 'Order'],
  wdr: (id) => [`/console/withdrawals/${id}`, 'Withdrawal'],
  vlt: (id) => [`/console/vaults/${id}`, 'Vault'],
};
const ID = /^([a-z]+)_[a-z0-9_]+$/;
const TYPING_MS = 250;
const SHOWN = 8;

interface SearchHit {
  path: string;
  name: string;
  what: string;
}

/** Finds a record by its id, or what there is of an end-user by its external id or label; `/` opens it from anywhere. */
export function Search() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest('input, select, textarea, dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return (
    <>
      <button type="button" class="small search-opener" onClick={() => setOpen(true)}>
        Search <kbd>/</kbd>
      </button>
      <Dialog title="Search" open={open} onClose={() => setOpen(false)}>
        <Finder onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Finder({ onDone }: { onDone: () => void }) {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [words, setWords] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWords(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const ofId = byId(text.trim());
  const users = useResource(words === '' || byId(words) || !holds('partner:read') ? null : words, (signal) =>
    listUsers(words, undefined, signal),
  );
  const hits = ofId ? [ofId] : (users.data?.data ?? []).slice(0, SHOWN).flatMap(ofUser);
  const shown = hits.filter(({ path }) => isOpen(path));
  const go = (event: SubmitEvent): void => {
    event.preventDefault();
    const [first] = shown;
    if (!first) return;
    onDone();
    route(first.path);
  };
  return (
    <form onSubmit={go}>
      <label class="field">
        <span>An id, or an end-user’s external id or label</span>
        <input
          type="search"
          autofocus
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {users.error && <Refusal error={users.error} />}
      <div role="status" aria-busy={users.loading}>
        {shown.length > 0 && (
          <ul class="found">
            {shown.map(({ path, name, what }) => (
              <li key={path}>
                <a href={path} onClick={onDone}>
                  <span>{what}</span> {name}
                </a>
              </li>
            ))}
          </ul>
        )}
        {shown.length === 0 && words !== '' && !users.loading && <p class="note">Nothing is found.</p>}
      </div>
    </form>
  );
}

function byId(text: string): SearchHit | null {
  const screen = SCREENS[ID.exec(text)?.[1] ?? '']?.(text);
  return screen ? { path: screen[0], name: text, what: screen[1] } : null;
}

const ofUser = ({ id, external_id, label }: User): SearchHit[] => [
  { path: `/console/users/${id}`, name: `${external_id}, ${label}`, what: 'End-user' },
  { path: `/console/positions?user_id=${id}`, name: external_id, what: 'Positions of' },
  { path: `/console/decisions?user_id=${id}`, name: external_id, what: 'Decisions about' },
];
