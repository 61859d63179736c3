import type { ComponentChildren } from 'preact';

interface ScrollTableProps {
  /** A label of the table for screen readers. */
  label: string;
  children: ComponentChildren;
  dense?: boolean;
}

/** A table that scrolls sideways on narrow screens, with the keyboard as well. */
export function ScrollTable({ label, children, dense = false }: ScrollTableProps) {
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table class={dense ? 'dense' : undefined}>{children}</table>
    </div>
  );
}

export interface Column<T> {
  head: ComponentChildren;
  cell: (row: T) => ComponentChildren;
  /** Whether the column has figures, which are aligned right. */
  number?: boolean;
  /** Whether the column is the header of the row. */
  names?: boolean;
}

interface DataTableProps<T> {
  label: string;
  columns: readonly (Column<T> | null)[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** Whether a row is highlighted. */
  marked?: (row: T) => boolean;
}

export function DataTable<T>({ label, columns, rows, keyOf, marked }: DataTableProps<T>) {
  const shown = columns.filter((column) => column !== null);
  return (
    // The panel often has the same name, and names of landmarks must be unique.
    <ScrollTable label={`${label}, table`}>
      <thead>
        <tr>
          {shown.map(({ head, number }, at) => (
            <th scope="col" class={number ? 'number' : undefined} key={at}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={marked?.(row) ? 'marked' : undefined}>
            {shown.map(({ cell, number, names }, at) =>
              names ? (
                <th scope="row" key={at}>
                  {cell(row)}
                </th>
              ) : (
                <td class={number ? 'number' : undefined} key={at}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
