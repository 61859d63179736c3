import { answered, api, asked } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { saveCsv } from '../../api/download.js';
import { useListing } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { useAction } from '../../ui/action.js';
import { Filters, useFilters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';

type Entry = Schemas['AuditEntryDto'];

const FIELDS = { operation: 'Operation', subject: 'Record', key_id: 'Key', from: 'From', to: 'To' } as const;
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Who changed what: everything for an administrator, the own changes for a partner. */
export function AuditScreen() {
  const { run, busy, error } = useAction();
  const wanted = useNarrowed(NAMES);
  const path = session.value?.scopes.some((scope) => scope.endsWith(':admin')) ? '/audit' : '/partner/audit';
  const list = useListing(`${path} ${JSON.stringify(wanted)}`, (cursor, signal) =>
    answered(api.GET(path, { params: { query: asked({ ...wanted, limit: 50, cursor }) }, signal })),
  );
  const query = new URLSearchParams(wanted).toString();
  return (
    <Screen title="Audit" lead="Every change: who made it, from where, and what it was before and after.">
      <Filters>
        {NAMES.map((name) => (
          <Filter name={name} key={name} />
        ))}
        <button
          type="button"
          disabled={busy}
          onClick={() => void run(() => saveCsv(`${path}${query && `?${query}`}`, 'audit.csv'))}
        >
          Save as CSV
        </button>
      </Filters>
      {error && <Refusal error={error} />}
      <Listed of={list} empty={<Empty title="No change matches.">{null}</Empty>}>
        {(rows) => <AuditTable rows={rows} />}
      </Listed>
    </Screen>
  );
}

function Filter({ name }: { name: keyof typeof FIELDS }) {
  const { query, set } = useFilters();
  const field = {
    value: query[name] ?? '',
    onChange: (event: Event) => set({ [name]: (event.currentTarget as HTMLInputElement).value.trim() }),
  };
  return (
    <label class="field inline">
      <span>{FIELDS[name]}</span>
      {name === 'from' || name === 'to' ? <input type="date" {...field} /> : <input type="text" {...field} />}
    </label>
  );
}

const AuditTable = ({ rows }: { rows: readonly Entry[] }) => (
  <DataTable
    label="Changes"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      { head: 'Made, UTC', names: true, cell: ({ at }) => <Time at={at} /> },
      { head: 'By', cell: ({ actor }) => actor.label ?? actor.user ?? actor.kind },
      { head: 'From', cell: ({ address }) => address ?? <Nothing why="no address" /> },
      { head: 'Operation', cell: ({ operation }) => <code>{operation}</code> },
      {
        head: 'Records',
        cell: ({ subjects }) => subjects.map((id) => <code key={id}>{id} </code>),
      },
      { head: 'Before', cell: ({ before }) => <Fields of={before} /> },
      { head: 'After', cell: ({ after }) => <Fields of={after} /> },
    ]}
  />
);

/** Changed fields, a line each. */
function Fields({ of }: { of: Entry['before'] }) {
  if (!of) return <Nothing why="nothing recorded" />;
  const fields = Object.values(of).flatMap((one) => Object.entries(one as Record<string, unknown>));
  return (
    <>
      {fields.map(([name, value]) => (
        <div key={name}>
          <code>
            {name}: {JSON.stringify(value)}
          </code>
        </div>
      ))}
    </>
  );
}
