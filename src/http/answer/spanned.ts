/** Answer over a span of time that ends before the span does when it has more points than fit. */
export class Spanned<T extends object> {
  constructor(
    readonly data: T,
    /** Beginning of the first point that did not fit; null: the answer reaches the end of its span. */
    readonly nextFrom: Date | null,
  ) {}
}
