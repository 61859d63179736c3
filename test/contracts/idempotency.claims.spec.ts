import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eitherContract } from '../support/long.js';
import { schemaOf } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { expectFirst, expectReplay, Posts } from '../support/posts.js';
import { untilSettled } from '../support/settled.js';

/** The stored claim of a request with an Idempotency-Key: its owner, its form, and its retention. */
describe.each(eitherContract('sandbox'))(
  '%s contract: the stored claim of an Idempotency-Key',
  (contract) => {
    let posts: Posts;

    beforeAll(async () => {
      posts = await Posts.start(contract);
    });
    afterAll(() => posts.close());
    beforeEach(() => {
      posts.key = randomUUID();
    });

    it('gives 30 concurrent requests one effect; all successful ones have the same response', async () => {
      const table: Record<string, string> = {
        createPartner: 'partners',
        createWebhook: 'webhook_endpoints',
        testWebhook: 'deliveries',
      };
      const rows = async (name: string): Promise<number> => {
        const [row] = await posts.app.database.query<{ rows: number }>(
          schemaOf(contract),
          `SELECT count(*)::int AS rows FROM ${name}`,
        );
        return row!.rows;
      };
      await posts.each(async (operation, { body }) => {
        const counted = table[operation.operationId];
        if (!counted) return;
        // Events of records that other operations need are sent by then.
        await untilSettled(posts.app);
        const [before, sent, received] = [await rows(counted), body?.(), posts.receiver.received.length];
        const answers = await Promise.all(Array.from({ length: 30 }, () => posts.send(operation, sent)));
        const successes = answers.filter(({ status }) => status < 300);
        for (const answer of answers.filter(({ status }) => status >= 300))
          expectError(answer, 409, 'idempotency_in_progress');
        expect(successes.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(
          1,
        );
        expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
        expect(await rows(counted)).toBe(before + 1);
        expect(posts.receiver.received.length - received).toBe(
          operation.operationId === 'testWebhook' ? 1 : 0,
        );
        expectReplay(await posts.send(operation, sent), successes[0]!);
      });
    });

    const age = (interval: string) =>
      posts.app.database.query(
        schemaOf(contract),
        'UPDATE idempotency_claims SET claimed_at = claimed_at - $2::interval WHERE key = $1',
        [posts.key, interval],
      );

    it('is kept for 24 hours, after which its key has a new effect', async () => {
      await posts.each(async (operation, { body, fresh }) => {
        // An operation that may happen only once to a record cannot be repeated with a new claim.
        if (fresh) return;
        const first = await posts.send(operation, body?.());
        await age('23 hours 59 minutes');
        if (body) expectError(await posts.send(operation, body()), 422, 'idempotency_key_reused');
        else expectReplay(await posts.send(operation), first);
        await age('1 minute');
        const [sent, before] = [body?.(), first.text];
        const second = await posts.send(operation, sent);
        expectFirst(second);
        expect(second.text).not.toBe(before);
        expectReplay(await posts.send(operation, sent), second);
      });
    });

    it('of a test send interrupted by a crash returns the interrupted record to a retry, and sends nothing', async () => {
      const first = await posts.send(posts.operation('testWebhook'));
      await untilSettled(posts.app);
      const sent = posts.receiver.received.length;
      await posts.app.database.query(
        schemaOf(contract),
        'UPDATE idempotency_claims SET answer = NULL WHERE key = $1',
        [posts.key],
      );
      await posts.app.database.query(
        schemaOf(contract),
        `UPDATE deliveries SET status = 'pending', response_status = NULL, latency_ms = NULL, claimed_at = now() - interval '1 hour' WHERE id = $1`,
        [first.body.data.id],
      );
      const retry = await posts.send(posts.operation('testWebhook'));
      expect(retry.status).toBe(first.status);
      expect(retry.body.data).toMatchObject({
        id: first.body.data.id,
        status: 'failed',
        failure: 'interrupted',
      });
      expectReplay(await posts.send(posts.operation('testWebhook')), retry);
      expect(posts.receiver.received).toHaveLength(sent);
    });
  },
);
