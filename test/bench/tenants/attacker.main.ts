import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS, Tally, type Tenant } from './attacks.js';

/** Grace period for requests in flight when the attack ends. */
const LAST_MS = 500;
/** The longest attack, in case nobody ends it. */
const LONGEST_MS = 60_000;

/**
 * Runs one attack in a process of its own: it receives its tenant, reports when it is prepared, is told to begin and to end, and reports the answers
 * it got.
 */
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
      // The attack does not wait for requests that the server holds back.
      void sleep(LAST_MS).then(() => process.send!({ counts: tally.counts }, () => process.exit()));
    });
  });
  process.send!('prepared');
}
