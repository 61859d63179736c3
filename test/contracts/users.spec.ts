import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

/** The vectors of EIP-55. */
const CHECKSUMMED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe.each(['partner', 'sandbox'] as const)('%s contract: end-users', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  let count = 0;

  beforeAll(async () => {
    app = await startApp(contract);
    partner = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  const create = (input: object = {}): Promise<Answer> =>
    partner.api.post('/users', { external_id: `user:${++count}`, ...input });
  const created = async (input: object = {}): Promise<any> => {
    const { status, body } = await create(input);
    expect([input, status]).toEqual([input, 201]);
    return body.data;
  };
  const expectRefused = async (input: object, ...fields: string[]): Promise<void> => {
    const answer = await create(input);
    expectError(answer, 400, 'validation_failed');
    expect(fieldsOf(answer)).toEqual(fields);
  };
  const wallet = (): string => `0x${String(++count).padStart(40, '0')}`;

  it('needs only an external id, and is called by it', async () => {
    const { status, body } = await partner.api.post('/users', { external_id: 'acme:1' });
    expect(status).toBe(201);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toEqual({
      object: 'user',
      data: {
        id: expect.stringMatching(/^usr_[0-9a-hjkmnp-tv-z]{26}$/),
        object: 'user',
        external_id: 'acme:1',
        label: 'acme:1',
        email: null,
        metadata: {},
        wallets: [],
        status: 'active',
        created_at: time,
        updated_at: body.data.created_at,
      },
    });
  });

  it('shows what it was given, to the letter', async () => {
    const input = {
      external_id: ' Ünïcode/🔑 ',
      label: '<b>',
      email: 'user@acme.example',
      metadata: { tier: 'gold' },
    };
    expect(await created(input)).toMatchObject(input);
  });

  it('takes an external id and a label of 1 to 255 characters', async () => {
    for (const text of ['x', 'x'.repeat(255), '🔑'.repeat(255)]) {
      expect(await created({ external_id: text })).toMatchObject({ external_id: text, label: text });
      expect((await created({ label: text })).label).toBe(text);
    }
    for (const text of ['', 'x'.repeat(256), '🔑'.repeat(256), null, 7, ['x']]) {
      await expectRefused({ external_id: text }, 'external_id');
      await expectRefused({ label: text }, 'label');
    }
  });

  it('takes an email address or null', async () => {
    const longest = `a@${['x'.repeat(60), 'y'.repeat(60), 'z'.repeat(60), 'w'.repeat(60)].join('.')}.example`;
    for (const email of ['user@acme.example', 'a+b@sub.acme.example', longest, null]) {
      expect((await created({ email })).email).toBe(email);
    }
    for (const email of ['', 'user', 'user@', '@acme.example', 'user@localhost', 'a b@acme.example', 7]) {
      await expectRefused({ email }, 'email');
    }
  });

  it('takes metadata of flat texts, at most 50, names to 40 and values to 500 characters', async () => {
    const many = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, 'v']));
    for (const metadata of [{}, many(50), { ['n'.repeat(40)]: 'v'.repeat(500) }]) {
      expect((await created({ metadata })).metadata).toEqual(metadata);
    }
    const bad = [
      many(51),
      { ['n'.repeat(41)]: 'v' },
      { n: 'v'.repeat(501) },
      { n: 1 },
      { n: null },
      { n: {} },
      [],
      null,
    ];
    for (const metadata of bad) await expectRefused({ metadata }, 'metadata');
  });

  it('stores wallets with their EIP-55 checksum, in the order given, however they are spelt', async () => {
    const spelt = CHECKSUMMED.map(
      (address, n) => [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`][n % 3]!,
    );
    expect((await created({ wallets: spelt })).wallets).toEqual(CHECKSUMMED);
  });

  it('refuses mixed case with a wrong checksum, and what is not 20 bytes of hexadecimal', async () => {
    const flipped = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    await expectRefused({ wallets: [wallet(), flipped] }, 'wallets.1');
    const good = wallet();
    for (const bad of [
      good.slice(2),
      `${good}0`,
      good.slice(0, -1),
      `0X${good.slice(2)}`,
      `${good.slice(0, -1)}g`,
      '',
      7,
      null,
    ]) {
      await expectRefused({ wallets: [bad] }, 'wallets');
    }
    for (const wallets of [good, {}, null]) await expectRefused({ wallets }, 'wallets');
  });

  it('takes up to 20 wallets, each once', async () => {
    const wallets = Array.from({ length: 21 }, wallet);
    await expectRefused({ wallets }, 'wallets');
    expect((await created({ wallets: wallets.slice(0, 20) })).wallets).toHaveLength(20);
    expect((await created({ wallets: [] })).wallets).toEqual([]);
    const twice = '0xde709f2102306220921060314715629080e2fb00';
    await expectRefused({ wallets: [twice, twice.toUpperCase().replace('0X', '0x')] }, 'wallets.1');
  });

  it('is not given a status, an id or a partner by the caller', async () => {
    for (const field of ['status', 'id', 'partner_id', 'created_at'])
      await expectRefused({ [field]: 'active' }, field);
  });
});
