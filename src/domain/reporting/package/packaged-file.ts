import { createHash } from 'node:crypto';
import { csvText } from '../../kernel/csv.js';
import { decimalText } from '../../kernel/money.js';
import { mapInTurns } from '../../kernel/slices.js';

/** Cell of a row: a text, an amount in micro-units, a whole number, a time; null: an empty one. */
type Cell = string | bigint | number | Date | null;
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** What the manifest says of a file. */
export interface FileEntry {
  name: string;
  bytes: number;
  sha256: string;
  /** Of CSV: rows without the header, and by asset the sum of each column of amounts. */
  rows?: number;
  sums?: Record<string, Record<string, string>>;
}

/** File of a package. Its entry is known once it was read to its end. */
export abstract class PackagedFile {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(readonly name: string) {}

  protected abstract texts(): AsyncIterable<string>;

  async *content(): AsyncGenerator<Buffer> {
    for await (const text of this.texts()) {
      const part = Buffer.from(text);
      this.hash.update(part);
      this.bytes += part.length;
      if (part.length > 0) yield part;
    }
  }

  entry(): FileEntry {
    return { name: this.name, bytes: this.bytes, sha256: this.hash.copy().digest('hex') };
  }
}

/** File of a text that is made when its turn comes. */
export class TextFile extends PackagedFile {
  constructor(
    name: string,
    private readonly write: () => string,
  ) {
    super(name);
  }

  protected override async *texts(): AsyncGenerator<string> {
    yield await Promise.resolve(this.write());
  }
}

/** Table of a package: pages of rows, one after the other. Columns of amounts are summed by the column `asset`. */
export class CsvFile<Row> extends PackagedFile {
  private rows = 0;
  private readonly sums = new Map<string, Map<string, bigint>>();
  private readonly cells: [name: string, of: (row: Row) => Cell][];

  constructor(
    name: string,
    private readonly columns: Columns<Row>,
    private readonly pages: () => AsyncIterable<readonly Row[]>,
  ) {
    super(name);
    this.cells = Object.entries(columns);
  }

  protected override async *texts(): AsyncGenerator<string> {
    yield `${Object.keys(this.columns).join(',')}\r\n`;
    for await (const page of this.pages()) {
      this.rows += page.length;
      yield (await mapInTurns(page, (row) => this.line(row))).join('');
    }
  }

  private line(row: Row): string {
    const asset = this.columns['asset']?.(row);
    const cells = this.cells.map(([name, of]) => {
      const cell = of(row);
      if (typeof cell === 'bigint' && typeof asset === 'string') this.add(asset, name, cell);
      return textOf(cell);
    });
    return `${cells.join(',')}\r\n`;
  }

  private add(asset: string, column: string, amount: bigint): void {
    let sums = this.sums.get(asset);
    if (!sums) this.sums.set(asset, (sums = new Map<string, bigint>()));
    sums.set(column, (sums.get(column) ?? 0n) + amount);
  }

  override entry(): FileEntry {
    const sums = [...this.sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const texts = sums.map(([asset, columns]) => [
      asset,
      Object.fromEntries([...columns].map(([column, sum]) => [column, decimalText(sum)])),
    ]);
    return {
      ...super.entry(),
      rows: this.rows,
      sums: Object.fromEntries(texts) as FileEntry['sums'] & object,
    };
  }
}

function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'bigint') return decimalText(cell);
  return cell instanceof Date ? cell.toISOString() : csvText(String(cell));
}
