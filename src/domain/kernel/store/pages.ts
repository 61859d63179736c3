/**
 * Pages of a statement, each asked for when the one before came, so that the database works meanwhile.
 * @param read the page after a row; undefined: the first
 * @param limit rows of a full page
 */
export async function* pagesOf<Row>(
  read: (after: Row | undefined) => Promise<Row[]>,
  limit: number,
): AsyncGenerator<Row[]> {
  for (let next: Promise<Row[]> | null = read(undefined); next !== null;) {
    const rows: Row[] = await next;
    next = rows.length < limit ? null : read(rows.at(-1));
    // The failure is thrown where the page is awaited.
    next?.catch(() => undefined);
    yield rows;
  }
}

/** Looks at each row of a statement's pages. @returns how many there are */
export async function checkRows<Row>(
  read: (after: Row | undefined) => Promise<Row[]>,
  limit: number,
  check: (row: Row) => void,
): Promise<number> {
  let count = 0;
  for await (const rows of pagesOf(read, limit)) {
    count += rows.length;
    rows.forEach(check);
  }
  return count;
}
