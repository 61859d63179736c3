import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Listing } from '../../api/resource.js';
import { useAction } from '../../ui/action.js';
import { Dialog } from '../../ui/dialog.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Refusal } from '../../ui/state.js';
import { type Column, DataTable, type Kinds } from '../../ui/table.js';
import { type Outcome, outcomeText } from './delivery-words.js';
import { NewSecret } from './new-secret.js';

/** Common fields of partners' endpoints and receivers of alerts. */
interface RegisteredEndpoint {
  id: string;
  url: string;
  description: string | null;
  secret: string;
}

interface EndpointListProps<T extends RegisteredEndpoint> {
  list: Listing<T>;
  /** Headings and sentences of the screen. */
  words: {
    title: string;
    remark?: string;
    create: string;
    createTitle: string;
    none: string;
    firstStep: string;
    removeTitle: string;
    removed: string;
    remove: string;
  };
  /** Columns between the URL and the actions. */
  state: (column: Kinds<T>) => readonly Column<T>[];
  /** The path of the list, which is saved as CSV. */
  csv: string;
  /** The address of one's own screen. */
  pathOf?: (row: T) => string;
  headActions?: ComponentChildren;
  /** Actions between the test and the deletion. */
  actions?: (row: T, busy: boolean, run: ReturnType<typeof useAction>['run']) => ComponentChildren;
  send: (id: string) => Promise<{ data: Outcome }>;
  onTested?: () => void;
  remove: (id: string) => Promise<unknown>;
  form: (onCreated: (created: T) => void) => ComponentChildren;
}

/** Registered URLs: created with a secret that is shown once, tested, deleted. */
export function EndpointList<T extends RegisteredEndpoint>(props: EndpointListProps<T>) {
  const { list, words, state, csv, pathOf, headActions, actions, form } = props;
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<T | null>(null);
  const [removing, setRemoving] = useState<T | null>(null);
  const [said, setSaid] = useState<{ text: string; good: boolean } | null>(null);
  const { busy, error, run } = useAction();

  const test = async ({ id, url }: T): Promise<void> => {
    setSaid(null);
    const sent = await run(() => props.send(id));
    if (!sent) return;
    setSaid({
      text: `Test event to ${url}: ${outcomeText(sent.data)}`,
      good: sent.data.status === 'delivered',
    });
    props.onTested?.();
  };
  const remove = async ({ id }: T): Promise<void> => {
    if (!(await run(() => props.remove(id)))) return;
    setRemoving(null);
    list.reload();
  };
  const columns = (column: Kinds<T>): Column<T>[] => [
    {
      head: 'URL',
      names: true,
      value: ({ url }) => url,
      cell: (row) => (
        <>
          {pathOf ? (
            <a class="url" href={pathOf(row)}>
              {row.url}
            </a>
          ) : (
            <span class="url">{row.url}</span>
          )}
          {row.description && <span class="below">{row.description}</span>}
        </>
      ),
    },
    ...state(column),
    {
      head: 'Actions',
      cell: (row) => (
        <span class="row-actions">
          <button type="button" class="small" disabled={busy} onClick={() => void test(row)}>
            Send a test<span class="heard"> to {row.url}</span>
          </button>
          {actions?.(row, busy, run)}
          <button type="button" class="small danger" disabled={busy} onClick={() => setRemoving(row)}>
            Delete<span class="heard"> {row.url}</span>
          </button>
        </span>
      ),
    },
  ];

  return (
    <>
      {created && <NewSecret endpoint={created} onDone={() => setCreated(null)} />}
      {error && !removing && <Refusal error={error} />}
      <p role="status" class={said ? `said ${said.good ? 'good' : 'bad'}` : 'said'}>
        {said?.text}
      </p>
      <Panel
        title={words.title}
        {...(words.remark && { remark: words.remark })}
        actions={
          <>
            {headActions}
            <button type="button" class="primary" onClick={() => setCreating(true)}>
              {words.create}
            </button>
          </>
        }
      >
        <Listed
          of={list}
          empty={
            <Empty title={words.none}>
              <p>{words.firstStep}</p>
            </Empty>
          }
        >
          {(rows) => (
            <DataTable label={words.title} csv={csv} rows={rows} keyOf={({ id }) => id} columns={columns} />
          )}
        </Listed>
      </Panel>
      <Dialog title={words.createTitle} open={creating} onClose={() => setCreating(false)}>
        {form((endpoint) => {
          setCreating(false);
          setCreated(endpoint);
          list.reload();
        })}
      </Dialog>
      <Dialog title={words.removeTitle} open={removing !== null} onClose={() => setRemoving(null)}>
        {removing && (
          <>
            <p>
              <span class="url">{removing.url}</span> {words.removed}
            </p>
            {error && <Refusal error={error} />}
            <p class="dialog-actions">
              <button type="button" class="danger" disabled={busy} onClick={() => void remove(removing)}>
                {words.remove}
              </button>
            </p>
          </>
        )}
      </Dialog>
    </>
  );
}
