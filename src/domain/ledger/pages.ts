/** Rows of a statement that reads page after page. A page is asked for when the one before came, so that the database works meanwhile: two are held. */
export class Pages<Row> {
  private rows: readonly Row[] = [];
  private place = 0;
  private coming: Promise<Row[]> | null;

  /**
   * @param read the page after a row; undefined: the first one
   * @param isFull whether a page may be followed by another
   */
  constructor(
    private readonly read: (after: Row | undefined) => Promise<Row[]>,
    private readonly isFull: (rows: readonly Row[]) => boolean,
  ) {
    this.coming = this.ask(undefined);
  }

  /** @returns the next row, without taking it; undefined at the end */
  async peek(): Promise<Row | undefined> {
    while (this.place === this.rows.length && this.coming !== null) {
      this.rows = await this.coming;
      this.place = 0;
      this.coming = this.isFull(this.rows) ? this.ask(this.rows.at(-1)) : null;
    }
    return this.rows[this.place];
  }

  /** Takes the row that `peek` returned. */
  take(): void {
    this.place++;
  }

  private ask(after: Row | undefined): Promise<Row[]> {
    const coming = this.read(after);
    // Whoever awaits the page hears of a failure; until then nobody does.
    coming.catch(() => undefined);
    return coming;
  }
}
