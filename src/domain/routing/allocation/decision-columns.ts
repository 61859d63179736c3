/** JSON value in a table. */
export type Cell = unknown;

/** Cells by row; undefined: the cell is never read. */
export type Column = (row: number) => Cell;
export type Table = Readonly<Record<string, Column>>;

/** Cells by row that differ from a default: `all`, or without it the base column's cell. */
interface DifferingCells {
  all?: Cell;
  at: Readonly<Record<string, Cell>>;
}

/** Stored column: a cell for each row, the cells that differ from a default, or one value for all rows. */
export type StoredColumn = readonly Cell[] | DifferingCells | string | number | boolean | null;
export type StoredTable = Readonly<Record<string, StoredColumn>>;

const isObject = (cell: Cell): cell is object => typeof cell === 'object' && cell !== null;

const isSame = (a: Cell, b: Cell): boolean =>
  a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));

/** @param base columns of the same names: only differences from them are stored, and equal columns are omitted */
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
  // A row number takes about five characters, so beyond half of the rows it is shorter to store every cell.
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

/** The cell that more than half of the rows share, if there is one: a Boyer-Moore majority vote. */
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

/** Column of a stored table. @param base column that the stored one differs from @throws RangeError when neither is there */
export function columnIn(stored: StoredTable, name: string, base?: Column): Column {
  const column = stored[name];
  if (Array.isArray(column)) return (row) => (column as readonly Cell[])[row];
  if (column !== undefined && !isObject(column)) return () => column;
  const { at, ...rest } = (column ?? { at: {} }) as DifferingCells;
  const fallback: Column | undefined = 'all' in rest ? () => rest.all : base;
  if (!fallback) throw new RangeError(`The column ${name} is not stored.`);
  return (row) => (row in at ? at[row] : fallback(row));
}
