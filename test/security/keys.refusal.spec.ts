import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONTRACTS } from '../../src/config/environment.js';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { schemaOf } from '../support/database.js';
import { createPartner } from '../support/partner.js';
import { type SentStatement, statementsDuring } from '../support/statements.js';

/** A refused key reveals no reason: every refusal has the same answer and the same cost. */
describe.each(CONTRACTS)('%s contract: a key that is refused', (contract) => {
  const environment = schemaOf(contract);
  let app: TestApp;
  let revoked: string;

  beforeAll(async () => {
    app = await startApp(contract);
    const partner = await createPartner(app.admin);
    // The key is used first, so that a cached result would show.
    await partner.api.get('/partner/summary');
    await app.admin.delete(`/keys/${partner.keyId}`);
    revoked = partner.key;
  });
  afterAll(() => app.close());

  /** Sends a request with a key. @returns the answer without its id and time, and the statements about keys */
  const tried = async (key: string): Promise<{ answer: unknown; asked: SentStatement[] }> => {
    let answer!: Answer;
    const sent = await statementsDuring(async () => {
      answer = await app.admin.as(key).get('/partner/summary');
    });
    const headers = [...answer.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
    const body = answer.text.replace(/req_\w+/, '');
    return {
      answer: { status: answer.status, headers, body },
      asked: sent.filter(({ text }) => /api_keys/.test(text)),
    };
  };
  const named = ({ name, text }: SentStatement) => ({ name, text });
  const mistyped = (key: string): string => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');

  it('costs one statement when it is unknown, and the same one when it was revoked', async () => {
    const unknown = await tried(newKeySecret(environment));
    const former = await tried(revoked);
    expect(unknown.asked.map(({ name }) => name)).toEqual(['access.find_key']);
    expect(former.asked.map(named)).toEqual(unknown.asked.map(named));
  });

  it('costs none when its checksum is wrong, be it near a key that there is or not', async () => {
    expect((await tried(mistyped(app.adminKey))).asked).toEqual([]);
    expect((await tried(mistyped(newKeySecret(environment)))).asked).toEqual([]);
  });

  it('is asked for by its digest: the key itself never leaves the process', async () => {
    const { asked } = await tried(revoked);
    expect(asked.flatMap(({ values }) => values)).toEqual([expect.any(Uint8Array), expect.any(Date)]);
    expect(asked[0]!.values[0]).toHaveLength(32);
  });

  it('is answered the same, byte for byte', async () => {
    const answers = [revoked, newKeySecret(environment), mistyped(revoked), 'x', 'vl_live_', '%00'];
    const first = await tried(answers[0]!);
    for (const key of answers) expect((await tried(key)).answer).toEqual(first.answer);
  });
});
