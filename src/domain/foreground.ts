import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** After the last request for so long, another one is likely. */
const LULL_MS = 20;

/** The requests under way in this process. They share its one thread with work that can wait for a moment, and go before it. */
@Injectable()
export class Foreground {
  private requests = 0;
  private leftAt = -Infinity;

  /** A request has come. @returns to be called when it is over; once more has no effect */
  enter(): () => void {
    this.requests++;
    let isUnder = true;
    return () => {
      if (!isUnder) return;
      isUnder = false;
      this.requests--;
      this.leftAt = performance.now();
    };
  }

  /** Between two pieces of such work: what has arrived meanwhile is seen to, and where requests come in, so much time is left to them. */
  async giveWay(ms: number): Promise<void> {
    await nextTurn();
    if (this.requests > 0 || performance.now() - this.leftAt < LULL_MS) await sleep(ms);
  }
}
