const KEPT = 50;

/** Complaints of feeds since the last call, for the log; the domain itself logs nothing. */
export class FeedTroubles {
  private messages: string[] = [];

  readonly report = (message: string): void => {
    if (this.messages.length < KEPT) this.messages.push(message);
  };

  take(): string[] {
    return this.messages.splice(0);
  }
}
