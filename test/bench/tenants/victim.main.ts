import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, Caller } from './caller.js';
import type { Slice, Victim } from './slices.js';

const READ_EVERY_MS = 50;
const DEPOSIT_EVERY_MS = 125;
/** The limit of unanswered requests, at which no more are sent. */
const MOST_OPEN = 200;

/** The victim: a tenant that reads and deposits at a steady rate. It is a process of its own, so that its own CPU time is not measured. */
process.once('message', ({ url, reads, readKey, depositKey, userId, settles }: Victim) => {
  const caller = new Caller(url, MOST_OPEN);
  const read = (): Call => ({ path: reads, key: readKey });
  const deposit = (): Call => ({
    method: 'POST',
    path: '/api/v1/positions',
    key: depositKey,
    body: {
      ...{ user_id: userId, asset: 'USDC', amount: 1 },
      ...(settles && { tx_hash: `0x${randomBytes(32).toString('hex')}` }),
    },
  });
  const stretch = async (ms: number): Promise<void> => {
    const [reading, depositing] = await Promise.all([
      slice(caller, ms, READ_EVERY_MS, read),
      slice(caller, ms, DEPOSIT_EVERY_MS, deposit),
    ]);
    process.send!({ reading, depositing });
  };
  process.on('message', (ms: number) => void stretch(ms));
  process.send!('prepared');
});
process.on('disconnect', () => process.exit());

/**
 * Requests are sent on schedule, whether or not earlier ones are answered (open loop): the time of a request counts from the moment at which it was
 * due, so that waiting in a queue is measured.
 */
async function slice(caller: Caller, ms: number, every: number, next: () => Call): Promise<Slice> {
  const took: number[] = [];
  const refused: Record<string, number> = {};
  const open = new Set<Promise<void>>();
  const from = performance.now();
  for (let number = 0; number * every < ms; number++) {
    const due = from + number * every;
    await sleep(Math.max(0, due - performance.now()));
    if (open.size >= MOST_OPEN) continue;
    const asked = caller.call(next()).then((outcome) => {
      took.push(performance.now() - due);
      if (typeof outcome !== 'number' || outcome >= 300) refused[outcome] = (refused[outcome] ?? 0) + 1;
      open.delete(asked);
    });
    open.add(asked);
  }
  await Promise.all(open);
  return { took, refused };
}
