import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { SettlementChecks } from '../../src/domain/routing/settlements/settlement-checks.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import { ReservesTask } from '../../src/jobs/tasks/reserves.task.js';
import type { Api } from '../support/api.js';
import { MovedFunds } from '../support/chain/moved-funds.js';
import { expectError } from '../support/expected-error.js';
import { dataOf } from '../support/fields.js';
import { callsOf, runCall } from '../support/guide.js';
import { A, type MovesStage } from '../support/moves.js';
import type { TestPartner } from '../support/partner.js';
import { untilSettled } from '../support/settled.js';

const THIEF = '0x00000000000000000000000000000000000007e1';
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const micro = (units: number): bigint => BigInt(Math.round(units * 1e6));
type Step = 'redeemed' | 'settled';

/** Partners whose funds are in accounts of their own, against a chain. */
describe('partner contract: separate custody', () => {
  let funds: MovedFunds;
  let stage: MovesStage;
  let admin: Api;

  beforeAll(async () => {
    funds = await MovedFunds.start(({ routing }) => {
      routing.custody = 'separate';
    });
    ({ stage } = funds);
    const { app } = stage.market;
    ({ admin } = app);
    await app.application.get(HousekeepingTimer).stop();
    await app.sql(
      `SELECT live_jobs.remove_job(key) FROM live_jobs.jobs WHERE key ~ '^(reserves|settlements) '`,
    );
  }, 60_000);
  afterAll(async () => {
    expect(await stage.differences()).toEqual([]);
    await funds?.close();
  });

  const setAccounts = ({ id }: TestPartner, ethereum: readonly string[]) =>
    admin.patch(`/partners/${id}`, { custody_accounts: { ethereum } });

  describe('accounts', () => {
    it('Accounts are set on a partner by an administrator, in lower case, replaced and taken away, and each change is audited', async () => {
      const created = dataOf(
        await admin.post('/partners', { name: 'Set', custody_accounts: { base: [CHECKSUMMED] } }),
        201,
      );
      const { id, custody_accounts } = created.partner;
      expect(custody_accounts).toEqual({ base: [CHECKSUMMED.toLowerCase()] });
      const path = `/partners/${id}`;
      const documented = callsOf('docs/live.md', 'Reserves').at(-1);
      const set = await runCall(documented, admin, { PARTNER: id, ADMIN_KEY: admin.key! });
      expect(set.custody_accounts).toEqual({ ethereum: [CHECKSUMMED.toLowerCase()] });
      const change = { custody_accounts: { ethereum: [THIEF], base: [CHECKSUMMED] } };
      expect(dataOf(await admin.patch(path, change), 200).custody_accounts).toEqual({
        ethereum: [THIEF],
        base: [CHECKSUMMED.toLowerCase()],
      });
      expect(dataOf(await admin.patch(path, { name: 'Named' }), 200).custody_accounts.ethereum).toEqual([
        THIEF,
      ]);
      dataOf(await admin.patch(path, change), 200);
      expect(dataOf(await admin.patch(path, { custody_accounts: {} }), 200).custody_accounts).toEqual({});
      expect(dataOf(await admin.get(path), 200).custody_accounts).toEqual({});
      const entries = dataOf(await admin.get(`/audit?subject=${id}`), 200);
      expect(
        entries
          .filter(({ after }: any) => after[id]?.custody_accounts !== undefined)
          .map(({ after }: any) => after[id].custody_accounts),
      ).toEqual([
        {},
        { ethereum: [THIEF], base: [CHECKSUMMED.toLowerCase()] },
        { ethereum: [CHECKSUMMED.toLowerCase()] },
        { base: [CHECKSUMMED.toLowerCase()] },
      ]);
    });

    it.each<[string, unknown, string?]>([
      ['a wrong checksum', { ethereum: [CHECKSUMMED.replace('5aA', '5Aa')] }, '.ethereum[0]'],
      ['an address twice', { ethereum: [CHECKSUMMED, CHECKSUMMED.toLowerCase()] }, '.ethereum[1]'],
      ['no address', { ethereum: [] }, '.ethereum'],
      [
        'more addresses than may be',
        { base: Array.from({ length: 21 }, (_, at) => `0x${String(at).padStart(40, '0')}`) },
        '.base',
      ],
      ['an unknown chain', { optimism: [CHECKSUMMED] }, '.optimism'],
      ['no list', { ethereum: CHECKSUMMED }, '.ethereum'],
      ['a list alone', [CHECKSUMMED]],
    ])('Accounts with %s are refused', async (_, custody_accounts, part = '') => {
      const answer = await admin.post('/partners', { name: 'Refused', custody_accounts });
      expectError(answer, 400, 'validation_failed');
      expect(answer.body.error.details).toEqual([
        {
          field: `custody_accounts${part}`,
          message:
            'must be an object with up to 20 different addresses, in lower case or with their checksum (EIP-55), under any of ethereum, arbitrum, base, plasma',
        },
      ]);
    });

    it("Accounts that are another partner's, also on another chain, or the shared ones, are refused with their owner, also of requests that arrive together", async () => {
      const { settings } = stage.market.app;
      const create = async (name: string): Promise<string> =>
        dataOf(await admin.post('/partners', { name }), 201).partner.id;
      const [first, second] = [await create('First'), await create('Second')];
      const account = `0x${'c0'.repeat(20)}`;
      const answers = await Promise.all(
        [first, second].map((id) =>
          admin.patch(`/partners/${id}`, { custody_accounts: { base: [account] } }),
        ),
      );
      const [taken, free] = answers.toSorted((one, other) => other.status - one.status);
      const owner = answers[0] === free ? first : second;
      expectError(taken!, 400, 'validation_failed');
      expect(taken!.body.error.details).toEqual([
        {
          field: 'custody_accounts.base.0',
          message: `is an account of ${owner} already: each holds the funds of one partner`,
        },
      ]);
      const [shared] = settings.custodyAccounts.ethereum!;
      const other = await admin.patch(`/partners/${owner}`, {
        custody_accounts: { ethereum: [account, shared] },
      });
      expect(other.body.error.details).toEqual([
        {
          field: 'custody_accounts.ethereum.1',
          message: 'is an account of CUSTODY_ACCOUNTS_<CHAIN> already: each holds the funds of one partner',
        },
      ]);
      const onEthereum = await admin.post('/partners', {
        name: 'Third',
        custody_accounts: { ethereum: [account] },
      });
      expect(onEthereum.body.error.details[0].field).toBe('custody_accounts.ethereum.0');
      // Where one custody holds everything, there are none to set; they can still be taken away.
      const { routing } = settings.constants;
      routing.custody = 'shared';
      const refused = await admin.patch(`/partners/${owner}`, { custody_accounts: { ethereum: [account] } });
      expectError(refused, 422, 'custody_shared');
      expect(refused.body.error.message).toContain('set routing.custody to separate first');
      expect(dataOf(await admin.patch(`/partners/${owner}`, { custody_accounts: {} }), 200)).toMatchObject({
        custody_accounts: {},
      });
      routing.custody = 'separate';
    });
  });

  describe('look-ups', () => {
    const ordered = async () => {
      const { partner, ids, move } = await stage.ordered();
      const own = await funds.withAccount({ inVault: 100_100 });
      return { partner, ids, move, own };
    };
    /** Sends what the API says as an account, and reports it. */
    const perform = async (id: string, step: Step, sender: MovedFunds, api: Api): Promise<void> => {
      const { amount } = await stage.move(id);
      const tx_hash = await sender.run(...(await sender.callsOf(id, step)));
      stage.market.pass(1);
      dataOf(await stage.post(`/moves/${id}/${step}`, { tx_hash, amount }, {}, api), 201);
    };
    const check = async () => {
      await funds.finalize();
      return (await stage.market.app.application.get(SettlementChecks).pass())!;
    };
    const shown = async (id: string, step: Step): Promise<string> => {
      const { status, reason, found_amount } = (await stage.move(id))[step].check;
      return `${status} ${reason} ${found_amount}`;
    };

    it('Look-ups compare the moves of a partner with its own accounts: those of two partners are confirmed', async () => {
      const { api } = await stage.executor();
      const moved: string[] = [];
      for (let count = 0; count < 2; count++) {
        const { partner, move, own } = await ordered();
        dataOf(await setAccounts(partner, [own.account.address]), 200);
        for (const step of ['redeemed', 'settled'] as const) await perform(move.id, step, own, api);
        moved.push(move.id);
      }
      await check();
      for (const id of moved)
        for (const step of ['redeemed', 'settled'] as const) {
          const { amount } = (await stage.move(id))[step];
          expect(await shown(id, step)).toBe(`confirmed null ${amount}`);
        }
    });

    it("Look-ups contradict a report by a transfer from another partner's account", async () => {
      const { api } = await stage.executor();
      const [honest, other] = [await ordered(), await ordered()];
      dataOf(await setAccounts(honest.partner, [honest.own.account.address]), 200);
      dataOf(await setAccounts(other.partner, [other.own.account.address]), 200);
      const { amount } = await stage.move(other.move.id);
      const tx_hash = await honest.own.run(honest.own.withdraw(micro(amount)));
      dataOf(await stage.post(`/moves/${other.move.id}/redeemed`, { tx_hash, amount }, {}, api), 201);
      await check();
      expect(await shown(other.move.id, 'redeemed')).toBe('mismatch wrong_account 0');
      const body = { step: 'redeemed', action: 'void', note: 'the account of another' };
      stage.market.pass(1);
      dataOf(await admin.post(`/moves/${other.move.id}/resolve`, body), 200);
    });

    it('Look-ups of a partner without an account wait with a reason until it has one, whatever accounts are shared or of others', async () => {
      const { api } = await stage.executor();
      const { partner, move, own } = await ordered();
      expect(stage.market.app.settings.custodyAccounts.ethereum).toHaveLength(1);
      await perform(move.id, 'redeemed', own, api);
      const { moveChanges } = await check();
      expect(moveChanges).toEqual([]);
      expect(await shown(move.id, 'redeemed')).toBe('unchecked no_custody_account null');
      dataOf(await setAccounts(partner, [own.account.address]), 200);
      expect(await shown(move.id, 'redeemed')).toBe('unchecked not_checked_yet null');
      await check();
      expect(await shown(move.id, 'redeemed')).toMatch(/^confirmed null /);
    });

    it("Look-ups of a payment compare what left the partner's own account", async () => {
      const { api } = await stage.executor();
      const { partner } = await stage.party();
      const own = await funds.withAccount({ tokens: 10_000, inVault: 10_000 });
      dataOf(await setAccounts(partner, [own.account.address]), 200);
      const body = { external_id: `payments:${Date.now()}`, wallets: [CHECKSUMMED] };
      const { id: user } = dataOf(await partner.api.post('/users', body), 201);
      const { id } = await stage.deposit(user, 10_000);
      await stage.sql('UPDATE settlements SET due_at = NULL');
      const statusOf = async (payer: MovedFunds): Promise<string> => {
        const asked = { asset: 'USDC', amount: 1_000 };
        const withdrawal = dataOf(await partner.api.post(`/users/${user}/withdrawals`, asked), 201);
        stage.market.pass(1);
        const tx_hash = await payer.run(payer.transfer(CHECKSUMMED, 1_000_000_000n));
        const paid = { tx_hash, amount: 1_000, chain: 'ethereum' };
        dataOf(await stage.post(`/withdrawals/${withdrawal.id}/paid`, paid, {}, api), 201);
        await check();
        const [{ status, reason }] = await stage.get(`/settlements?position_id=${id}`);
        return `${status} ${reason}`;
      };
      expect(await statusOf(own)).toBe('confirmed null');
      expect(await statusOf(funds)).toBe('mismatch wrong_custody_amount');
    });
  });

  describe('reserves', () => {
    interface Held {
      partner: TestPartner;
      own: MovedFunds;
    }
    let north: Held;
    let south: Held;
    let unset: TestPartner;

    beforeAll(async () => {
      const held = async (): Promise<Held> => {
        const { partner, user } = await stage.party();
        const own = await funds.withAccount({ inVault: 50_000 });
        dataOf(await setAccounts(partner, [own.account.address]), 200);
        await stage.deposit(user, 50_000);
        return { partner, own };
      };
      [north, south] = [await held(), await held()];
      const { partner, user } = await stage.party();
      unset = partner;
      await stage.deposit(user, 20_000);
    }, 60_000);

    /** Begins an hour, and reads it. */
    const read = async (): Promise<void> => {
      await stage.hours(1);
      await funds.finalize();
      await stage.market.app.application.get(ReservesTask).run();
    };
    const rows = async (api: Api): Promise<any[]> => dataOf(await api.get('/reserves'), 200).rows;
    const rowOf = async ({ id }: TestPartner, vault: string | null = A): Promise<any> =>
      (await rows(admin)).find((row) => row.partner_id === id && row.vault_id === vault);
    /** Alerts on these partners' reserves in A, of other tests none. */
    const toldOf = async (api: Api, path: string): Promise<string[]> => {
      await untilSettled(stage.market.app);
      const concerned = [north.partner, south.partner, unset].map(({ id }) => id);
      return dataOf(await api.get(`${path}?limit=500`), 200)
        .filter(({ data: { alert } }: any) => alert?.kind.startsWith('reserves_') && alert.vault_id === A)
        .filter(({ data }: any) => path === '/events' || concerned.some((id) => data.message.includes(id)))
        .map(({ data: { alert } }: any) => `${alert.kind} ${alert.state}`);
    };

    it("Reserves compare each partner's books with its own accounts, and those of a partner without an account are null with a reason", async () => {
      await read();
      for (const { partner, own } of [north, south]) {
        const row = await rowOf(partner);
        expect(row).toMatchObject({
          chain: 'ethereum',
          reason: null,
          custody_accounts: [own.account.address.toLowerCase()],
        });
        expect(row.books).toBeCloseTo(50_000, -1);
        expect(row.chain_holds).toBeCloseTo(50_000, 3);
        // Nothing is in cash: nothing is said of it.
        expect(await rowOf(partner, null)).toBeUndefined();
      }
      const row = await rowOf(unset);
      expect(row).toMatchObject({
        ...{ reason: 'no_account', chain_holds: null, difference: null, coverage: null },
        custody_accounts: [],
      });
      expect(row.books).toBeCloseTo(20_000, -1);
      expect((await rows(admin)).every(({ partner_id }) => partner_id !== null)).toBe(true);
    });

    it('Reserves that the owner of an account takes from are short for its partner alone, who is told, and nobody else', async () => {
      expect(await toldOf(admin, '/alerts/events')).toEqual([]);
      await south.own.run(south.own.transfer(THIEF, 0n));
      await north.own.run(north.own.withdraw(micro(1_000), THIEF));
      await read();
      await read();
      expect((await rowOf(north.partner)).difference).toBeCloseTo(-1_000, -2);
      expect((await rowOf(south.partner)).coverage).toBeGreaterThan(0.9999);
      expect(await toldOf(admin, '/alerts/events')).toEqual(['reserves_short begun']);
      expect(await toldOf(north.partner.api, '/events')).toEqual(['reserves_short begun']);
      for (const { api } of [south.partner, unset]) expect(await toldOf(api, '/events')).toEqual([]);
      const alerts = dataOf(await admin.get('/alerts/events?limit=500'), 200);
      const messages = alerts.map(({ data }: any) => data.message);
      expect(messages).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `^The custody accounts of the partner ${north.partner.id} hold less than the books of the vault`,
          ),
        ),
      );
      const { app } = stage.market;
      await app.application.get(DeploymentCounts).countReserves();
      expect(await app.metrics()).toContain(
        `vaultline_reserves_alert{kind="reserves_short",vault="${A}",partner="${north.partner.id}"} 1`,
      );
    });

    it('Reserves show a partner its own rows, now and in the past, a reader none, and an administrator those of each partner', async () => {
      for (const { partner } of [north, south]) {
        const own = await rows(partner.api);
        expect(new Set(own.map((row) => row.partner_id))).toEqual(new Set([partner.id]));
        const { books, coverage } = await rowOf(partner);
        expect(own.find((row) => row.vault_id === A)).toMatchObject({
          books,
          coverage,
          chain_holds: null,
          difference: null,
          custody_accounts: [],
        });
        const past = dataOf(await partner.api.get('/reserves/history?limit=500'), 200);
        expect(past.length).toBeGreaterThan(2);
        expect(new Set(past.map((row: any) => row.partner_id))).toEqual(new Set([partner.id]));
      }
      const others = `/reserves/history?partner_id=${north.partner.id}`;
      expect(dataOf(await south.partner.api.get(others), 200)).toEqual([]);
      const listed = dataOf(await admin.get(`${others}&vault_id=${A}`), 200);
      expect(listed[0].difference).toBeCloseTo(-1_000, -2);
      const { reader } = stage.market;
      expect(await rows(reader)).toEqual([]);
      expect(dataOf(await reader.get('/reserves/history'), 200)).toEqual([]);
      // Pages go on within an hour.
      const all = dataOf(await admin.get('/reserves/history?limit=500'), 200);
      const paged: any[] = [];
      for (let cursor = ''; paged.length < 7;) {
        const { body } = await admin.get(`/reserves/history?limit=1${cursor}`);
        paged.push(...body.data);
        cursor = `&cursor=${body.meta.next_cursor}`;
      }
      expect(paged).toEqual(all.slice(0, 7));
    });

    it('Reserves that are even again end the alert of their partner', async () => {
      const { books, chain_holds } = await rowOf(north.partner);
      const lacking = micro(books - chain_holds);
      await funds.token.send('mint', north.own.account.address, lacking);
      await north.own.run(north.own.approve(funds.vault.address, lacking), north.own.deposit(lacking));
      await read();
      expect((await toldOf(admin, '/alerts/events')).at(-1)).toBe('reserves_short over');
      expect(await toldOf(north.partner.api, '/events')).toEqual([
        'reserves_short begun',
        'reserves_short over',
      ]);
      for (const { api } of [south.partner, unset]) expect(await toldOf(api, '/events')).toEqual([]);
    });

    it('Reserves at the end of a day stand in the statement of their partner alone', async () => {
      await north.own.run(north.own.withdraw(micro(5_000), THIEF));
      const { market } = stage;
      do await stage.hours(1);
      while (market.now().getUTCHours() !== 23);
      await read();
      await market.app.application.get(HourlyCycle).run();
      const day = new Date(market.now().getTime() - 86_400_000).toISOString().slice(0, 10);
      const coverageIn = async ({ api }: TestPartner): Promise<number | null> =>
        dataOf(await api.get(`/partner/statements/${day}`), 200).reserves?.coverage ?? null;
      expect(await coverageIn(north.partner)).toBeLessThan(0.95);
      expect(await coverageIn(south.partner)).toBeGreaterThan(0.999);
      expect(await coverageIn(unset)).toBeNull();
    });
  });
});
