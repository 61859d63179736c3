import { answered, api, asked } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { listPath } from '../../api/download.js';
import { useListing } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Filters, useFilters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { DateRange, useRange } from '../../ui/range.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { ShortId } from '../../ui/vault-name.js';

type Entry = Schemas['AuditEntry'];

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
      <datalist id="operation">
        {[...new Set(list.rows.map(({ operation }) => operation))].map((operation) => (
          <option value={operation} key={operation} />
        ))}
      </datalist>
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
      <input type="text" list={name} {...field} />
    </label>
  );
}

const AuditTable = ({ rows, csv }: { rows: readonly Entry[]; csv: string }) => (
  <DataTable
    label="Changes"
    csv={csv}
    rows={rows}
    keyOf={({ id }) => id}
    columns={() => [
      {
        head: 'Made, UTC',
        names: true,
        value: ({ at }) => at,
        cell: ({ at, operation }) => (
          <>
            <Time at={at} />
            <code class="below">{operation}</code>
          </>
        ),
      },
      { head: 'Before and after', key: true, cell: (entry) => <Fields of={entry} /> },
      {
        head: 'By',
        value: ({ actor }) => nameOf(actor),
        cell: ({ actor, address }) => (
          <>
            {nameOf(actor)}
            <span class="below">{address && `from ${address}`}</span>
          </>
        ),
      },
      {
        head: 'Records',
        cell: ({ subjects }) => (
          <span class="words short">
            {subjects.map((id) => (
              <a href={`/console/audit?subject=${id}`} key={id}>
                <ShortId id={id} />{' '}
              </a>
            ))}
          </span>
        ),
      },
    ]}
  />
);

const nameOf = ({ label, user, kind }: Entry['actor']): string => label ?? user ?? kind;

/** Fields in sight; the others are shown on demand. */
const SHOWN = 4;

/** Changed fields, a line each. */
function Fields({ of: { before, after } }: { of: Entry }) {
  const [old, present] = [fieldsOf(before), fieldsOf(after)];
  const lines = [...new Set([...old.keys(), ...present.keys()])].map((name) => {
    const values = [old.get(name), present.get(name)].filter((value) => value !== undefined);
    const isGone = old.has(name) && after !== null && !present.has(name);
    return (
      <code class="words" key={name}>
        {name}: {values.join(' → ')}
        {isGone && ' → none'}
      </code>
    );
  });
  if (lines.length === 0) return <Nothing why="nothing recorded" />;
  return (
    <>
      {lines.slice(0, SHOWN)}
      {lines.length > SHOWN && (
        <details>
          <summary>{lines.length - SHOWN} more</summary>
          {lines.slice(SHOWN)}
        </details>
      )}
    </>
  );
}

const fieldsOf = (state: Entry['before']): Map<string, string> =>
  new Map(
    Object.values(state ?? {}).flatMap((record) =>
      Object.entries(record as Record<string, unknown>).map(
        ([name, value]) => [name, JSON.stringify(value)] as const,
      ),
    ),
  );
