import type { ChainPass } from './chain-pass.js';
import type { Block } from './chain-provider.js';

/** Tolerance: a block may be this much older than the moment that it stands for. */
const TOLERANCE_MS = 2 * 60_000;
/** Initial guess of the block interval; the observed interval of the chain replaces it. */
const PACE_MS = 12_000;
/** A plain bisection ends within this many steps on any chain. */
const MOST_STEPS = 64;

/** Search for a chain's blocks by time, with the chain's own block interval: a few requests each, fewer near blocks that are known. */
export class BlocksByTime {
  private readonly known: Block[];

  constructor(private readonly pass: ChainPass) {
    this.known = [pass.block];
  }

  /** The newest block up to a moment, or one at most two minutes older. @returns null when the chain is younger, or no provider answers */
  async upTo(moment: Date): Promise<Block | null> {
    for (let step = 0; step < MOST_STEPS; step++) {
      const above = this.known.findIndex(({ at }) => at > moment);
      const [low, high] = [this.known.at(above === -1 ? -1 : above - 1)!, this.known[above]];
      if (high === undefined) return low;
      if (above === 0) {
        if (high.number === 0n) return null;
        if (!(await this.learn(this.below(high, moment, step)))) return null;
        continue;
      }
      const near = moment.getTime() - low.at.getTime() <= TOLERANCE_MS;
      if (near || low.number + 1n === high.number) return low;
      if (!(await this.learn(between(low, high, moment, step)))) return null;
    }
    return null;
  }

  /** A block that is probably older than the moment; each failed guess goes further back. */
  private below(high: Block, moment: Date, step: number): bigint {
    const [next] = this.known.slice(1);
    const pace = next ? (next.at.getTime() - high.at.getTime()) / Number(next.number - high.number) : PACE_MS;
    const away = (high.at.getTime() - moment.getTime()) / Math.max(1, pace);
    const back = BigInt(Math.ceil(away * 1.01 * 2 ** Math.min(step, 40))) + 1n;
    return back >= high.number ? 0n : high.number - back;
  }

  private async learn(number: bigint): Promise<boolean> {
    const block = await this.pass.blockAt(number);
    if (block === null || block.number !== number) return false;
    this.known.push(block);
    this.known.sort((a, b) => Number(a.number - b.number));
    return true;
  }
}

/** Interpolation by time, and bisection in every third step, because block intervals may be uneven. */
function between(low: Block, high: Block, moment: Date, step: number): bigint {
  const distance = high.number - low.number;
  const part = (moment.getTime() - low.at.getTime()) / Math.max(1, high.at.getTime() - low.at.getTime());
  const ahead = step % 3 === 2 ? distance / 2n : BigInt(Math.floor(Number(distance) * part));
  const most = distance - 1n;
  return low.number + (ahead < 1n ? 1n : ahead > most ? most : ahead);
}
