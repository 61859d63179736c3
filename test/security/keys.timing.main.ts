// Measures how long refusals take, to show whether timing leaks anything:
//
//   node --import ./test/runner/typescript.mjs test/security/keys.timing.main.ts
//
// It prints figures and asserts nothing. ROUNDS sets the number of rounds.
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { say, withDatabase } from '../bench/deployment.js';
import { createPartner } from '../support/partner.js';
import { Replica } from '../support/replica.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 2_000);

await withDatabase(async (url) => {
  const adminKey = newKeySecret('live');
  const replica = await Replica.start('partner', {
    DATABASE_URL: url,
    BOOTSTRAP_ADMIN_KEY: adminKey,
    RATE_LIMIT_PER_MINUTE: '0',
    REQUESTS_AT_ONCE: '0',
    AUTH_FAILURES_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  });
  try {
    const { key: revoked, keyId } = await createPartner(replica.api(adminKey));
    await replica.api(adminKey).delete(`/keys/${keyId}`);
    const kinds: Record<string, () => string> = {
      unknown: () => newKeySecret('live'),
      revoked: () => revoked,
      'wrong checksum': () => `${revoked.slice(0, -1)}${revoked.endsWith('a') ? 'b' : 'a'}`,
      'no key at all': () => 'x',
    };
    const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
    // The kinds are interleaved, so that other work on the machine affects all of them alike. The first tenth warms up.
    for (let round = -ROUNDS / 10; round < ROUNDS; round++) {
      for (const [kind, make] of Object.entries(kinds)) {
        const api = replica.api(make());
        const from = performance.now();
        await api.get('/partner/summary');
        if (round >= 0) times.get(kind)!.push(performance.now() - from);
      }
    }
    for (const [kind, all] of times) {
      all.sort((a, b) => a - b);
      const at = (share: number): string => `${(all[Math.floor(all.length * share)]! * 1000).toFixed(0)} us`;
      say(`${kind.padEnd(16)} median ${at(0.5)}, half of all between ${at(0.25)} and ${at(0.75)}`);
    }
  } finally {
    await replica.kill();
  }
});
