/** Value of JSON in a table. */
export type Cell = unknown;

/** Cells by row. undefined: nothing asks for the cell. */
export type Column = (row: number) => Cell;
export type Table = Readonly<Record<string, Column>>;

/** Cells that differ from others: from `all` where it is there, otherwise from those of another column. By row. */
interface DifferingCells {
  all?: Cell;
  at: Readonly<Record<string, Cell>>;
}

/** Column as it is stored: a cell of each row, what differs from others, or the value of all rows. */
export type StoredColumn = readonly Cell[] | DifferingCells | string | number | boolean | null;
export type StoredTable = Readonly<Record<string, StoredColumn>>;

const isObject = (cell: Cell): cell is object => typeof cell === 'object' && cell !== null;

const isSame = (a: Cell, b: Cell): boolean =>
  a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));

/** @param base the same columns elsewhere, from which only differences are stored; a column that is as there is not stored at all */
export function storedTable(table: Table, rows: number, base: Table = {}): StoredTable {
  const stored: Record<string, StoredColumn> = {};
  for (const name of Object.keys(table)) {
    const column = storedColumn(table[name]!, rows, base[name]);
    if (column !== undefined) stored[name] = column;
  }
  return stored;
}

function storedColumn(column: Column, rows: number, base: Column | undefined): StoredColumn | undefined {
  const fromBase = base && differences(column, rows, base);
  if (fromBase?.count === 0) return undefined;
  const commonest = majority(column, rows);
  const fromCommonest = differences(column, rows, () => commonest);
  if (fromCommonest.count === 0 && !isObject(commonest)) return commonest as string | number | boolean | null;
  // A cell with its row takes some five characters more, so that half of them take as much as all without.
  const [at, count] =
    fromBase && fromBase.count <= fromCommonest.count
      ? [fromBase.at, fromBase.count]
      : [fromCommonest.at, fromCommonest.count];
  if (count > rows / 2) return Array.from({ length: rows }, (_, row) => column(row));
  return at === fromBase?.at ? { at } : { all: commonest, at };
}

function differences(column: Column, rows: number, other: Column) {
  const at: Record<string, Cell> = {};
  let count = 0;
  for (let row = 0; row < rows; row++) {
    const cell = column(row);
    if (cell === undefined || isSame(cell, other(row))) continue;
    at[row] = cell;
    count++;
  }
  return { at, count };
}

/** The cell that more than half of the rows have, where there is one. */
function majority(column: Column, rows: number): Cell {
  let [top, lead]: [Cell, number] = [null, 0];
  for (let row = 0; row < rows; row++) {
    const cell = column(row);
    if (cell === undefined) continue;
    if (lead === 0) top = cell;
    lead += isSame(cell, top) ? 1 : -1;
  }
  return top;
}

/** Column of a stored table. @param base the same column elsewhere @throws RangeError when it is stored nowhere */
export function columnIn(stored: StoredTable, name: string, base?: Column): Column {
  const column = stored[name];
  if (Array.isArray(column)) return (row) => (column as readonly Cell[])[row];
  if (column !== undefined && !isObject(column)) return () => column;
  const { at, ...rest } = (column ?? { at: {} }) as DifferingCells;
  const fallback: Column | undefined = 'all' in rest ? () => rest.all : base;
  if (!fallback) throw new RangeError(`The column ${name} is not stored.`);
  return (row) => (row in at ? at[row] : fallback(row));
}
