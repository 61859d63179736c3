import { answered, api, asked } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { listPath } from '../../api/download.js';
import { useListing } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { Nothing } from '../../format/figures.js';
import { Filters, useFilters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { DateRange, useRange } from '../../ui/range.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';

type Entry = Schemas['AuditEntryDto'];

const FIELDS = { operation: 'Operation', subject: 'Record', key_id: 'Key' } as const;
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Who changed what: everything for an administrator, the own changes for a partner. */
export function AuditScreen() {
  const wanted = { ...useNarrowed(NAMES), ...useRange(null) };
  const path = session.value?.scopes.some((scope) => scope.endsWith(':admin')) ? '/audit' : '/partner/audit';
  const list = useListing(`${path} ${JSON.stringify(wanted)}`, (cursor, signal) =>
    answered(api.GET(path, { params: { query: asked({ ...wanted, limit: 50, cursor }) }, signal })),
  );
  return (
    <Screen title="Audit" lead="Every change: who made it, from where, and what it was before and after.">
      <Filters>
        {NAMES.map((name) => (
          <Filter name={name} key={name} />
        ))}
        <DateRange />
      </Filters>
      <Listed of={list} empty={<Empty title="No change matches." />}>
        {(rows) => <AuditTable rows={rows} csv={listPath(path, wanted)} />}
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
      <input type="text" {...field} />
    </label>
  );
}

const AuditTable = ({ rows, csv }: { rows: readonly Entry[]; csv: string }) => (
  <DataTable
    label="Changes"
    csv={csv}
    rows={rows}
    keyOf={({ id }) => id}
    columns={(column) => [
      column.time('Made, UTC', ({ at }) => at, { names: true }),
      column.text('By', ({ actor }) => actor.label ?? actor.user ?? actor.kind),
      column.text('From', ({ address }) => address),
      {
        head: 'Operation',
        value: ({ operation }) => operation,
        cell: ({ operation }) => <code>{operation}</code>,
      },
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
