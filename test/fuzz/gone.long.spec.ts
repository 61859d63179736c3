import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Api } from '../support/api.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { RUNS, tryAll } from './run.js';
import { World } from './world.js';

const MINUTE_MS = 60_000;

const KINDS = [
  ...['register', 'register', 'register', 'remove', 'remove', 'change', 'send'],
  ...['issue', 'issue', 'revoke', 'revoke', 'use', 'disable', 'enable'],
] as const;
type Step = [kind: (typeof KINDS)[number], pick: number];

/** The model of one partner's life: the partner, its present endpoints and keys, and those that are deleted or revoked. */
class Life {
  readonly hooks: string[] = [];
  readonly goneHooks: string[] = [];
  readonly keys: { id: string; secret: string }[];
  readonly goneKeys: { id: string; secret: string }[] = [];
  disabled = false;

  constructor(
    private readonly world: World,
    private readonly partner: TestPartner,
    private readonly url: string,
  ) {
    this.keys = [{ id: partner.keyId, secret: partner.key }];
  }

  private get admin(): Api {
    return this.world.app.admin;
  }

  /** A caller with a valid key of the partner; undefined: there is none. */
  private get api(): Api | undefined {
    const key = this.keys.at(-1);
    return key && this.admin.as(key.secret);
  }

  async take([kind, pick]: Step): Promise<void> {
    const { api, hooks, goneHooks, keys, goneKeys, partner } = this;
    const hook = hooks[pick % hooks.length];
    const goneHook = goneHooks[pick % goneHooks.length];
    switch (kind) {
      case 'register':
        if (api) hooks.push((await api.post('/webhooks', { url: this.url })).body.data.id);
        return;
      case 'remove':
        if (api && hook) {
          expect((await api.delete(`/webhooks/${hook}`)).body.data).toEqual({ id: hook, deleted: true });
          goneHooks.push(...hooks.splice(hooks.indexOf(hook), 1));
        }
        return;
      case 'change':
        if (api && goneHook && this.world.contract === 'partner')
          expectError(await api.patch(`/webhooks/${goneHook}`, { active: true }), 404, 'not_found');
        return;
      case 'send':
        if (api && goneHook) expectError(await api.post(`/webhooks/${goneHook}/test`), 404, 'not_found');
        return;
      case 'issue': {
        const answer = await this.admin.post('/keys', {
          label: 'K',
          scopes: ['partner:read'],
          partner_id: partner.id,
        });
        if (this.disabled) expectError(answer, 409, 'partner_disabled');
        else keys.push({ id: answer.body.data.id, secret: answer.body.data.secret });
        return;
      }
      case 'revoke': {
        const known = [...keys, ...goneKeys];
        const key = known[pick % known.length]!;
        expect((await this.admin.delete(`/keys/${key.id}`)).body.data).toEqual({ id: key.id, revoked: true });
        if (keys.includes(key)) goneKeys.push(...keys.splice(keys.indexOf(key), 1));
        return;
      }
      case 'use':
        if (goneKeys.length > 0) {
          const { secret } = goneKeys[pick % goneKeys.length]!;
          expectError(await this.admin.as(secret).get('/webhooks'), 401, 'invalid_api_key');
        }
        return;
      case 'disable':
      case 'enable': {
        this.disabled = kind === 'disable';
        const status = this.disabled ? 'disabled' : 'active';
        expect((await this.admin.patch(`/partners/${partner.id}`, { status })).body.data.status).toBe(status);
        if (this.disabled) goneKeys.push(...keys.splice(0));
      }
    }
  }

  /** Checks that every list shows exactly the present records. */
  async check(): Promise<void> {
    const { admin, api, partner } = this;
    const listed = await all(admin, '/keys');
    const ours = listed.filter((key) => key.partner_id === partner.id);
    const shown = Object.fromEntries(ours.map(({ id, revoked }) => [id, revoked]));
    expect(shown).toEqual(
      Object.fromEntries([
        ...this.keys.map(({ id }) => [id, false]),
        ...this.goneKeys.map(({ id }) => [id, true]),
      ]),
    );
    for (const { secret } of this.goneKeys)
      expectError(await admin.as(secret).get('/partner/summary'), 401, 'invalid_api_key');
    if (!api) return;
    expect((await all(api, '/webhooks')).map(({ id }) => id)).toEqual(this.hooks.toReversed());
    for (const id of this.goneHooks) expectError(await api.delete(`/webhooks/${id}`), 404, 'not_found');
  }
}

/** Every row of a list, read in pages of two. */
async function all(api: Api, path: string): Promise<any[]> {
  const rows: any[] = [];
  let cursor = '';
  do {
    const { status, body } = await api.get(`${path}?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.meta.next_cursor ?? '';
  } while (cursor);
  return rows;
}

/** A deleted, revoked or disabled record stays so for every later reader. */
describe.each(['partner', 'sandbox'] as const)('%s contract: what is gone', (contract) => {
  let world: World;

  beforeAll(async () => {
    world = await World.start(contract);
  }, MINUTE_MS);
  afterAll(() => world.close());

  it(
    'stays gone, whatever is done after',
    async () => {
      const steps = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(100)), {
        minLength: 5,
        maxLength: 25,
        size: 'max',
      });
      await tryAll('gone', 4 * RUNS, steps, async (taken) => {
        const life = new Life(world, await createPartner(world.app.admin), world.receiver.url);
        for (const step of taken) {
          await life.take(step);
          await life.check();
        }
        // The keys are deleted, because the next life would walk them in pages of two.
        await world.query(`DELETE FROM api_keys WHERE revoked_at IS NOT NULL`);
      });
    },
    2 * MINUTE_MS * RUNS,
  );
});
