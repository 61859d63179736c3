import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS, Tally, type Tenant } from './attacks.js';

/** Requests that are under way when it ends. */
const LAST_MS = 500;
/** Should nobody end it. */
const LONGEST_MS = 60_000;

/** One attack in a process of its own: is told whom it is, says when it is prepared, is told to begin and to end, tells what it was answered. */
process.once('message', (told: { name: string; tenant: Tenant }) => void attack(told));
process.on('disconnect', () => process.exit());

async function attack({ name, tenant }: { name: string; tenant: Tenant }): Promise<void> {
  const tally = new Tally();
  const ends = new AbortController();
  const begin = await ATTACKS[name]!.prepare(tenant, tally);
  process.on('message', (word: 'begin' | 'end') => {
    if (word === 'end') return ends.abort();
    setTimeout(() => ends.abort(), LONGEST_MS).unref();
    void begin(ends.signal);
    ends.signal.addEventListener('abort', () => {
      // A request that is held back is none that it has to wait for.
      void sleep(LAST_MS).then(() => process.send!({ counts: tally.counts }, () => process.exit()));
    });
  });
  process.send!('prepared');
}
