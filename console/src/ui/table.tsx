import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { saveCsv, saveFile } from '../api/download.js';
import { vaultName } from '../api/vaults.js';
import { csvText, type Value } from '../format/csv.js';
import { Count, hasTail, Money, Nothing, Rate } from '../format/figures.js';
import { Time } from '../format/time.js';
import { useAction } from './action.js';
import { Refusal } from './state.js';
import { VaultName } from './vault-name.js';

interface ScrollTableProps {
  /** A label of the table for screen readers. */
  label: string;
  children: ComponentChildren;
  dense?: boolean;
}

/** A table whose first column stays while the others are scrolled beneath it; a shadow shows on which side there are more. */
export function ScrollTable({ label, children, dense = false }: ScrollTableProps) {
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = region.current!;
    const look = (): void => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
      element.parentElement!.classList.toggle('more-before', element.scrollLeft > 1);
      element.parentElement!.classList.toggle('more-behind', rest > 1);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    observer.observe(element.firstElementChild!);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return (
    <div class="frame">
      <div class="scroll" role="region" aria-label={label} tabIndex={0} ref={region}>
        <table class={dense ? 'dense' : undefined}>{children}</table>
      </div>
    </div>
  );
}

export interface Column<T> {
  head: string;
  cell: (row: T) => ComponentChildren;
  /** The value by which rows are sorted, and which a CSV file has; absent: the column has none. */
  value?: (row: T) => Value;
  /** Whether the column has figures, which are aligned at their decimal point. */
  number?: boolean;
  /** Whether the column is the header of the row. */
  names?: boolean;
  /** Whether the column stands beside the first one on a phone, where it is in sight. */
  key?: boolean;
}

type Options<T> = Partial<Pick<Column<T>, 'names' | 'key' | 'value'>>;

/** Columns of the usual kinds, which sort and have a value in CSV. */
export interface Kinds<T> {
  text: (head: string, value: (row: T) => Value, options?: Options<T>) => Column<T>;
  money: (
    head: string,
    value: (row: T) => number | null,
    options?: Options<T> & { signed?: boolean | ((row: T) => boolean); unit?: (row: T) => string },
  ) => Column<T>;
  rate: (
    head: string,
    value: (row: T) => number | null,
    options?: Options<T> & { points?: boolean; decimals?: number },
  ) => Column<T>;
  count: (head: string, value: (row: T) => number, options?: Options<T>) => Column<T>;
  time: (
    head: string,
    value: (row: T) => string | null,
    options?: Options<T> & { day?: boolean },
  ) => Column<T>;
  /** A vault by its name. */
  vault: (
    head: string,
    id: (row: T) => string | null,
    options?: Options<T> & { plain?: boolean },
  ) => Column<T>;
}

/** @param rows whose amounts are aligned at their decimal point */
const kindsOf = <T,>(rows: readonly T[]): Kinds<T> => ({
  text: (head, value, options) => ({
    head,
    value,
    cell: (row) => value(row) ?? <Nothing why="none" />,
    ...options,
  }),
  money: (head, value, { signed = false, unit, ...options } = {}) => {
    const spaced = rows.some((row) => hasTail(value(row)));
    const isSigned = (row: T): boolean => (typeof signed === 'function' ? signed(row) : signed);
    return {
      head,
      value,
      number: true,
      cell: (row) => <Money amount={value(row)} signed={isSigned(row)} unit={unit?.(row)} spaced={spaced} />,
      ...options,
    };
  },
  rate: (head, value, { points = false, decimals = 2, ...options } = {}) => ({
    head,
    value,
    number: true,
    cell: (row) => <Rate rate={value(row)} points={points} decimals={decimals} />,
    ...options,
  }),
  count: (head, value, options) => ({
    head,
    value,
    number: true,
    cell: (row) => <Count count={value(row)} />,
    ...options,
  }),
  time: (head, value, { day = false, ...options } = {}) => ({
    head,
    value,
    cell: (row) => <Time at={value(row)} day={day} />,
    ...options,
  }),
  vault: (head, id, { plain = false, ...options } = {}) => ({
    head,
    value: (row) => vaultNameOf(id(row)),
    cell: (row) => <VaultName id={id(row)} plain={plain} />,
    ...options,
  }),
});

const vaultNameOf = (id: string | null): string | null => (id === null ? null : vaultName(id));

/** What a list says below its table: how many rows there are, and a button for more. */
export const TableFoot = createContext<ComponentChildren>(null);

interface DataTableProps<T> {
  label: string;
  columns: (column: Kinds<T>) => readonly (Column<T> | null)[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** Whether a row is highlighted. */
  marked?: (row: T) => boolean;
  /** The path of the API's list, which is saved whole; absent: the rows shown are saved. */
  csv?: string;
}

export function DataTable<T>({ label, columns, rows, keyOf, marked, csv }: DataTableProps<T>) {
  const [order, setOrder] = useState<{ head: string; down: boolean } | null>(null);
  const { busy, error, run } = useAction();
  const narrow = useNarrow();
  const all = columns(kindsOf(rows)).filter((column) => column !== null);
  const shown = narrow ? all.toSorted((a, b) => placeOf(a) - placeOf(b)) : all;
  const by = shown.find(({ head }) => head === order?.head)?.value;
  const sorted = by && order ? rows.toSorted((a, b) => compared(by(a), by(b), order.down)) : rows;
  const name = `${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;
  const save = () => run(async () => (csv ? await saveCsv(csv, name) : saveFile(csvOf(shown, sorted), name)));
  const classOf = ({ number, key }: Column<T>): string =>
    [number && 'number', key && 'key'].filter(Boolean).join(' ');
  return (
    <div class="listing">
      {/* The panel often has the same name, and names of landmarks must be unique. */}
      <ScrollTable label={`${label}, table`}>
        <thead>
          <tr>
            {shown.map((column) => (
              <Head
                column={column}
                down={column.head === order?.head ? order.down : null}
                sort={(down) => setOrder({ head: column.head, down })}
                class={classOf(column)}
                key={column.head}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)} class={marked?.(row) ? 'marked' : undefined}>
              {shown.map((column) =>
                column.names ? (
                  <th scope="row" key={column.head}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td class={classOf(column)} key={column.head}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {error && <Refusal error={error} />}
      <p class="list-end">
        {useContext(TableFoot)}
        <button type="button" class="small csv" disabled={busy} onClick={() => void save()}>
          {busy ? 'Saving' : 'CSV'}
          <span class="heard"> of {label}</span>
        </button>
      </p>
    </div>
  );
}

const placeOf = ({ names, key }: Pick<Column<unknown>, 'names' | 'key'>): number => (names ? 0 : key ? 1 : 2);

/** Whether the screen is that of a phone. */
function useNarrow(): boolean {
  const query = matchMedia('(max-width: 640px)');
  const [narrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const changed = (): void => setNarrow(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return narrow;
}

interface HeadProps<T> {
  column: Column<T>;
  class: string;
  /** The order of the column, if rows are sorted by it. */
  down: boolean | null;
  sort: (down: boolean) => void;
}

function Head<T>({ column: { head, value, number }, class: name, down, sort }: HeadProps<T>) {
  return (
    <th scope="col" class={name} aria-sort={down === null ? undefined : down ? 'descending' : 'ascending'}>
      {value && head ? (
        // The first click shows the largest figures, or the first of the alphabet.
        <button type="button" class="sort" onClick={() => sort(down === null ? number === true : !down)}>
          {head}
          <span aria-hidden="true">{down === null ? '' : down ? ' ↓' : ' ↑'}</span>
        </button>
      ) : (
        head
      )}
    </th>
  );
}

/** Unknown values come last in either order. */
function compared(value: Value, other: Value, down: boolean): number {
  if (value == null || other == null) return Number(value == null) - Number(other == null);
  const order =
    typeof value === 'number' && typeof other === 'number'
      ? value - other
      : String(value).localeCompare(String(other), 'en', { numeric: true });
  return down ? -order : order;
}

function csvOf<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const saved = columns.filter(({ value }) => value);
  return csvText([
    saved.map(({ head }) => head),
    ...rows.map((row) => saved.map(({ value }) => value!(row))),
  ]);
}
