import { randomBytes } from 'node:crypto';
import { dataOf, equals, holds, made, refused, refusedField } from '../check.js';
import { rulesOf } from '../rule.js';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
/** Lower case, which carries no checksum. */
const newWallet = (): string => `0x${randomBytes(20).toString('hex')}`;

export const usersRules = rulesOf('users', {
  created: [
    'A new end-user is answered whole: active, its label the external id where none is given, no email, no metadata, no wallets.',
    async (stage) => {
      const { caller } = await stage.partner();
      const external_id = stage.name('plain');
      const answer = await caller.post('/users', { external_id });
      const { id, created_at, updated_at, ...user } = dataOf(answer, 201);
      equals('object', answer.body.object, 'user', answer);
      holds(
        /^usr_[0-9a-hjkmnp-tv-z]{26}$/.test(id) && created_at === updated_at,
        'its id or its times are wrong',
        answer,
      );
      const expected = {
        object: 'user',
        external_id,
        label: external_id,
        email: null,
        metadata: {},
        wallets: [],
        status: 'active',
      };
      equals('the user', user, expected, answer);
    },
  ],
  'external-id': [
    'An external id is taken once: a second user with it is a 409 external_id_taken. It is unique over all partners in the partner contract, and within an account in the sandbox.',
    async (stage) => {
      const [{ caller }, { caller: other }] = [await stage.partner(), await stage.stranger()];
      const external_id = stage.name('taken');
      made(await caller.post('/users', { external_id }));
      refused(await caller.post('/users', { external_id }), 409, 'external_id_taken');
      const elsewhere = await other.post('/users', { external_id });
      if (stage.contract === 'partner') refused(elsewhere, 409, 'external_id_taken');
      else dataOf(elsewhere, 201);
    },
  ],
  wallets: [
    'A wallet is 20 bytes of hex, shown with its checksum, refused with a wrong one, and of one user of a partner.',
    async (stage) => {
      const { caller } = await stage.partner();
      const create = (wallets: unknown) =>
        caller.post('/users', { external_id: stage.name('wallet'), wallets });
      const answer = await create([WALLET.toLowerCase()]);
      equals('wallets', dataOf(answer, 201).wallets, [WALLET], answer);
      refused(await create([WALLET]), 409, 'wallet_taken');
      for (const wrong of ['0x1', WALLET.slice(2), WALLET.replace('aA', 'Aa'), `${WALLET}00`]) {
        const refusal = await create([wrong]);
        refused(refusal, 400, 'validation_failed');
        holds(JSON.stringify(refusal.body).includes('wallets'), 'details do not name wallets', refusal);
      }
      refusedField(await create(Array.from({ length: 21 }, newWallet)), 'wallets');
    },
  ],
  fields: [
    'An external id has 1 to 255 characters; metadata is flat texts, at most 50 of them.',
    async (stage) => {
      const { caller } = await stage.partner();
      for (const external_id of ['', 'x'.repeat(256), 7, null])
        refusedField(await caller.post('/users', { external_id }), 'external_id');
      const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`key${n}`, 'v']));
      for (const metadata of [{ a: 1 }, { a: {} }, { a: 'x'.repeat(501) }, many, 'text', []])
        refusedField(
          await caller.post('/users', { external_id: stage.name('fields'), metadata }),
          'metadata',
        );
      const metadata = { tier: 'gold', note: '' };
      const answer = await caller.post('/users', {
        external_id: stage.name('fields'),
        email: 'one@example.test',
        label: 'One',
        metadata,
      });
      const { email, label, metadata: kept } = dataOf(answer, 201);
      equals(
        'the user',
        { email, label, metadata: kept },
        { email: 'one@example.test', label: 'One', metadata },
        answer,
      );
    },
  ],
  listed: [
    'An end-user is listed among those of its partner, with no position and nothing deposited, and its ledger is empty.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id, external_id } = await stage.newUser(caller);
      const answer = await caller.get('/partner/users?limit=5');
      const {
        object,
        positions,
        net_tvl,
        external_id: shown,
      } = dataOf(answer, 200).find((one: any) => one.id === id) ?? {};
      equals(
        'the user',
        { object, positions, net_tvl, shown },
        { object: 'attributed_user', positions: { open: 0, closed: 0 }, net_tvl: 0, shown: external_id },
        answer,
      );
      equals('its ledger', dataOf(await caller.get(`/users/${id}/ledger`), 200), []);
      equals('its positions', dataOf(await caller.get(`/partner/user/${id}/positions`), 200), []);
    },
  ],
});
