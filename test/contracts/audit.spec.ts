import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'safe-stable-stringify';
import { AuditChain } from '../../src/domain/tenants/audit/audit-chain.js';
import { Partner } from '../../src/domain/tenants/partners/partner.entity.js';
import { Store } from '../../src/domain/kernel/store/store.js';
import { acceptedBody } from '../support/accepted-body.js';
import type { Answer, Api } from '../support/api.js';
import { vaultline } from '../support/command.js';
import { type DocumentedOperation, documentedOperations, filledPath } from '../support/document.js';
import { expectError } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { createPartner } from '../support/partner.js';
import { Posts } from '../support/posts.js';

/** Writes that store nothing. */
const NOTHING = ['previewPosition', 'previewWithdrawal'];
/** Writes that change no stored field: test sends. */
const UNCHANGED = ['testAlertWebhook', 'testWebhook'];
/** Writes that change nothing at all: the end of a quarantine that there was not. */
const NO_CHANGE = ['endQuarantine', 'endSimulatedQuarantine'];
const SECRET = /vl_(live|sandbox)_|whsec_|vlc_|sealed|secret_hash/;

describe.each(eitherContract('partner'))('%s contract: the audit log', (contract) => {
  let posts: Posts;
  let operations: DocumentedOperation[];
  const auditedOperations = new Set<string>();

  beforeAll(async () => {
    posts = await Posts.start(contract);
    operations = (await documentedOperations(posts.app)).filter(({ method }) => method !== 'GET');
  }, 60_000);
  afterAll(() => posts.close());

  /** Entries of a request, by its id. */
  const entriesOf = async (answer: Answer): Promise<any[]> => {
    const { data } = (await posts.app.admin.get('/audit?limit=50')).body;
    return data.filter(({ request_id }: any) => request_id === answer.headers.get('x-request-id'));
  };
  const entryOf = async (answer: Answer): Promise<any> => {
    const entries = await entriesOf(answer);
    expect(entries).toHaveLength(1);
    return entries[0];
  };
  /** Sends one of the writes that are no POST, on a record made for it. */
  const change = async (operation: DocumentedOperation): Promise<Answer> => {
    const { partner, app } = posts;
    const made = async (api: Api, path: string, body: object): Promise<string> =>
      (await api.post(path, body)).body.data.id;
    const other = operation.scopes.includes('partner:admin') ? await createPartner(app.admin) : null;
    const ids = {
      ptn: other?.id ?? partner.id,
      key: await made(app.admin, '/keys', { label: 'revoked', scopes: ['read'] }),
      usr: await made(partner.api, '/users', { external_id: `audit:${operation.operationId}` }),
      wh: await made(partner.api, '/webhooks', { url: posts.receiver.url }),
      vlt: app.settings.vaults[0]!.id,
      alert: await made(app.admin, '/alerts/webhooks', { url: posts.receiver.url }),
      ...(other && { cmp: await made(app.admin, `/partners/${other.id}/campaigns`, { name: 'changed' }) }),
    };
    const session = async (): Promise<Api> =>
      app.admin.as((await partner.api.post('/sessions', { scopes: ['partner:read'] })).body.data.secret);
    const api = operation.operationId === 'endCurrentSession' ? await session() : posts.callerOf(operation);
    const body = acceptedBody(operation, { ids: {}, url: posts.receiver.url });
    return api.send(operation.method, filledPath(operation, ids), body);
  };

  it('The audit log has one entry for every documented write that changes something, with its actor and subjects', async () => {
    const check = async (operation: DocumentedOperation, answer: Answer, sent: any = {}): Promise<void> => {
      expect([operation.operationId, Math.floor(answer.status / 100)]).toEqual([operation.operationId, 2]);
      auditedOperations.add(operation.operationId);
      if (NO_CHANGE.includes(operation.operationId)) return expect(await entriesOf(answer)).toEqual([]);
      const entry = await entryOf(answer);
      expect(entry).toMatchObject({ object: 'audit_entry', operation: operation.operationId });
      expect(entry.actor).toMatchObject({
        kind: operation.operationId === 'endCurrentSession' ? 'session' : 'key',
        user: null,
      });
      expect(entry.address).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
      expect(entry.actor.label).toEqual(expect.any(String));
      const id = answer.body.data.id ?? answer.body.data.partner?.id;
      if (id) expect(entry.subjects).toContain(id);
      const isUnchanged = UNCHANGED.includes(operation.operationId);
      expect([operation.operationId, (entry.before ?? entry.after) === null]).toEqual([
        operation.operationId,
        isUnchanged,
      ]);
      for (const name of ['amount', 'tx_hash', 'note', 'label', 'external_id'].filter((of) => of in sent))
        expect([operation.operationId, JSON.stringify(entry.after)]).toEqual([
          operation.operationId,
          expect.stringContaining(JSON.stringify(sent[name]).replaceAll(/^"|"$/g, '')),
        ]);
    };
    await posts.each(async (operation, { body }) => {
      const sent = body?.();
      const answer = await posts.send(operation, sent);
      await check(operation, answer, sent);
      // A replay changes nothing.
      expect(await entriesOf(await posts.send(operation, sent))).toEqual([]);
    });
    for (const operation of operations)
      if (operation.method !== 'POST') await check(operation, await change(operation));
    expect(
      operations.map(({ operationId }) => operationId).filter((id) => !auditedOperations.has(id)),
    ).toEqual(NOTHING);
  }, 120_000);

  it('The audit log shows the fields that changed, before and after, and no secret', async () => {
    const { app, partner } = posts;
    const { id } = (await partner.api.post('/users', { external_id: 'audit:1', label: 'Old' })).body.data;
    const change = await entryOf(
      await partner.api.patch(`/users/${id}`, { label: 'New', status: 'blocked' }),
    );
    expect([change.before, change.after]).toEqual([
      { [id]: { label: 'Old', status: 'active' } },
      { [id]: { label: 'New', status: 'blocked' } },
    ]);
    const removed = await entryOf(await partner.api.send('DELETE', `/users/${id}`));
    expect([removed.before[id].label, removed.after]).toEqual(['New', null]);
    const key = (await app.admin.post('/keys', { label: 'audited', scopes: ['read'] })).body.data;
    const revoked = await entryOf(await app.admin.send('DELETE', `/keys/${key.id}`));
    expect(revoked.before).toEqual({ [key.id]: { revoked_at: null } });
    expect(revoked.after).toEqual({ [key.id]: { revoked_at: expect.stringMatching(/Z$/) } });
    const all = JSON.stringify(await posts.app.sql('SELECT * FROM audit_entries'));
    expect(all).not.toMatch(SECRET);
  });

  it('The audit log has no entry for a refused request; a metric counts refused administration', async () => {
    const { partner, app } = posts;
    const answer = await partner.api.post('/keys', { label: 'no' });
    expectError(answer, 403, 'insufficient_scope');
    expect(await entriesOf(answer)).toEqual([]);
    expect(await app.metrics()).toContain('vaultline_refused_administration_total{operation="createKey"} 1');
    const taken = { external_id: 'audit:taken' };
    expect((await partner.api.post('/users', taken)).status).toBe(201);
    expect(await entriesOf(await partner.api.post('/users', taken))).toEqual([]);
  });

  it('The audit log shows a partner its own keys’ entries, and administrators all, filtered by key, operation, record and time', async () => {
    const { partner, app } = posts;
    const ownEntries = (await partner.api.get('/partner/audit?limit=500')).body.data;
    expect(ownEntries.length).toBeGreaterThan(5);
    for (const { actor } of ownEntries) expect(actor.partner_id).toBe(partner.id);
    const list = async (query: string): Promise<any[]> => (await app.admin.get(`/audit?${query}`)).body.data;
    const [{ actor, subjects, at }] = ownEntries;
    for (const entry of await list(`key_id=${actor.key_id}`)) expect(entry.actor.key_id).toBe(actor.key_id);
    for (const entry of await list(`subject=${subjects[0]}`)) expect(entry.subjects).toContain(subjects[0]);
    expect((await list('operation=createKey')).map(({ operation }) => operation)).toContain('createKey');
    expect((await list(`to=${at}&from=${at}`)).map(({ id }) => id)).toContain(ownEntries[0].id);
    expect(await list('from=2030-01-01')).toEqual([]);
  });

  it('The audit log has an entry for an operator’s command, with its operating-system user', async () => {
    const { app } = posts;
    const created = ['keys', 'create', '--label', 'by command', '--expires-at', '2099-01-01T00:00:00Z'];
    const { code } = await vaultline(['--contract', contract, ...created], {
      DATABASE_URL: app.database.url,
      SECRETS_KEY: app.settings.secretsKey.toString('base64'),
    });
    expect(code).toBe(0);
    const [entry] = (await app.admin.get('/audit?operation=keys%20create')).body.data;
    expect(entry.actor).toMatchObject({ kind: 'cli', key_id: null, user: expect.stringMatching(/./) });
    expect(Object.values(entry.after)[0]).toMatchObject({
      label: 'by command',
      scopes: ['read'],
      expires_at: expect.stringMatching(/^2099-01-01T00:00:00/),
    });
  });

  describe('and its hash chain', () => {
    const chain = (): AuditChain => posts.app.application.get(AuditChain);
    const verify = async (): Promise<string[]> => {
      const lines: string[] = [];
      await posts.app.application
        .get(Store)
        .snapshot(() => chain().verify((subject, problem) => void lines.push(`${subject} ${problem}`)));
      return lines;
    };
    /** Runs SQL as only the owner of the database could, with triggers disabled, and undoes it. */
    const tampered = async (tamper: string): Promise<string[]> => {
      const store = posts.app.application.get(Store);
      await store
        .transaction(async () => {
          await store.repository(Partner).query('SET LOCAL session_replication_role = replica');
          await store.repository(Partner).query(tamper);
          const lines: string[] = [];
          await chain().verify((subject, problem) => void lines.push(`${subject} ${problem}`));
          throw new RolledBack(lines);
        })
        .catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error;
          differences = error.lines;
        });
      return differences;
    };
    let differences: string[];

    beforeAll(() => chain().extend());

    it('The hash chain of the audit log is valid, and can be recomputed from the entries of the API', async () => {
      expect(await verify()).toEqual([]);
      const page = (await posts.app.admin.get('/audit?limit=500')).body.data;
      const [newer, older] = page.sort((one: any, other: any) => other.number - one.number);
      const { object: _, number, hash, ...fields } = newer;
      expect(number).toBe(older.number + 1);
      expect(
        createHash('sha256')
          .update(older.hash + stringify(fields))
          .digest('hex'),
      ).toBe(hash);
    });

    it.each([
      ['a changed entry', `UPDATE audit_entries SET label = 'somebody else' WHERE id = $`],
      ['a removed entry', `DELETE FROM audit_entries WHERE id = $`],
      [
        'a removed entry with its link',
        `WITH gone AS (DELETE FROM audit_entries WHERE id = $ RETURNING id) DELETE FROM audit_links WHERE entry_id IN (SELECT id FROM gone)`,
      ],
      [
        'an inserted entry',
        `INSERT INTO audit_entries SELECT (json_populate_record(e, '{"id": "aud_x"}')).* FROM audit_entries e WHERE id = $`,
      ],
    ])(
      'The hash chain of the audit log detects %s, the newest and the oldest alike',
      async (_, statement) => {
        for (const which of ['max', 'min']) {
          const id = `(SELECT entry_id FROM audit_links WHERE number = (SELECT ${which}(number) FROM audit_links))`;
          expect(await tampered(statement.replace('$', id))).not.toEqual([]);
        }
      },
    );

    it('The hash chain of the audit log cannot be changed by SQL, and is checked by `ledger verify`', async () => {
      for (const table of ['audit_entries', 'audit_links'])
        for (const change of [`DELETE FROM ${table}`, `TRUNCATE ${table}`])
          await expect(posts.app.sql(change)).rejects.toThrow('is append-only');
      await expect(posts.app.sql(`UPDATE audit_entries SET label = label`)).rejects.toThrow('is append-only');
      const ledger = (): ReturnType<typeof vaultline> =>
        vaultline(['--contract', contract, 'ledger', 'verify'], {
          DATABASE_URL: posts.app.database.url,
          SECRETS_KEY: posts.app.settings.secretsKey.toString('base64'),
        });
      expect((await ledger()).stdout).toMatch(/^Audit log: \d+ entries, head \d+ [0-9a-f]{64}$/m);
      await posts.app.sql('ALTER TABLE audit_entries DISABLE TRIGGER audit_is_final');
      await posts.app.sql(`UPDATE audit_entries SET label = label || '!' WHERE operation = 'createKey'`);
      expect(await ledger()).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^aud_\w+: is not what was recorded/m),
      });
      await posts.app.sql(`UPDATE audit_entries SET label = left(label, -1) WHERE operation = 'createKey'`);
      await posts.app.sql('ALTER TABLE audit_entries ENABLE TRIGGER audit_is_final');
    });

    it('The hash chain of the audit log stays valid after a retention deletes its oldest entries', async () => {
      const kept = (await posts.app.sql('SELECT count(*)::int AS rows FROM audit_links'))[0].rows;
      const { retention } = posts.app.settings.constants as { retention: { auditDays: number } };
      retention.auditDays = 1;
      await posts.app.sql(`SELECT forget_audit(clock_timestamp(), 3)`);
      expect((await posts.app.sql('SELECT count(*)::int AS rows FROM audit_entries'))[0].rows).toBe(kept - 3);
      expect(await verify()).toEqual([]);
      expect(await chain().prune()).toBe(0);
      retention.auditDays = 0;
      expect(await verify()).toEqual([expect.stringContaining('no retention is set')]);
    });
  });
});

/** Rolls back. */
class RolledBack extends Error {
  constructor(readonly lines: string[]) {
    super('undone');
  }
}
