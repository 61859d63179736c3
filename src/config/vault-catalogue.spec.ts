import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { configFolder, problemsOf } from '../../test/support/configuration.js';
import { readConstants } from './constants.js';
import { microUnits } from './setting-kinds.js';
import { idleVault } from './vault-catalogue.js';

const POOL = 'aa70268e-4b52-42bf-a116-608b370f9501';
const ADDRESS = '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

type Entry = Record<string, unknown>;
const vault = (over: Entry = {}): Entry => ({
  id: 'vlt_a_usdc',
  name: 'A USDC',
  venue: 'A',
  chain: 'ethereum',
  asset: 'USDC',
  risk_tier: 'low',
  active: true,
  capacity: null,
  entry_cost: 1,
  exit_cost: 1,
  exit_delay_hours: 0,
  dilution: 'pool',
  lending_baseline: true,
  feed: { kind: 'defillama', pool: POOL, apr: true, tvl: 'liquidity' },
  ...over,
});
const other = (over: Entry = {}): Entry => vault({ id: 'vlt_b', lending_baseline: false, ...over });
const bridge = (...between: unknown[]): Entry => ({ between, cost: 1 });
const token = (over: Entry = {}): Entry => ({
  asset: 'USDC',
  chain: 'ethereum',
  address: USDC,
  decimals: 6,
  ...over,
});

/** Reads a catalogue in place of the partner contract's. */
const read = (over: Entry) => {
  const file = { assets: ['USDC'], vaults: [vault()], bridge_costs: [], ...over };
  return readConstants('partner', configFolder({ 'partner.yaml': stringify(file) }));
};
const problems = (over: Entry) => problemsOf(() => read(over));
const feedOf = (feed: Entry) => read({ vaults: [vault({ feed })] }).vaults[0]!.feed;

const AMOUNT = 'it must be an amount in whole units, not negative, with at most 6 decimals.';
const SLUG = 'it must be vlt_ and a slug, up to 64 characters in all, such as vlt_aave_v3_usdc.';
const POOL_ID = 'it must be a pool id of DefiLlama, which is a UUID in lower case.';
const KIND = 'it must be simulated or defillama or erc4626 or aave-v3 or compound-v3.';
const CHAINS = 'it must be a list of two different chains in lower case, such as [ethereum, arbitrum].';
const CHECKSUM = 'it must be the address of a contract, with its checksum (EIP-55).';

describe('the vault catalogue', () => {
  it('The vault catalogue is parsed with its defaults, amounts and bridge costs', () => {
    const second = other({
      active: false,
      capacity: '1000000.5',
      entry_cost: 0.000001,
      exit_cost: 0,
      exit_delay_hours: 24,
      dilution: 'none',
      chain: 'arbitrum-one',
      return_half_life_hours: 48,
      feed: { kind: 'simulated' },
    });
    const between = ['arbitrum-one', 'ethereum'];
    const { vaults, bridgeCosts } = read({
      vaults: [vault(), second],
      bridge_costs: [{ between, cost: 0.5 }],
    });
    expect(bridgeCosts).toEqual([{ between, cost: 500_000n }]);
    const shared = { name: 'A USDC', venue: 'A', asset: 'USDC', riskTier: 'low', gas: null };
    expect(vaults).toEqual([
      {
        ...shared,
        id: 'vlt_a_usdc',
        chain: 'ethereum',
        active: true,
        capacity: null,
        entryCost: 1_000_000n,
        exitCost: 1_000_000n,
        exitDelayHours: 0,
        dilution: 'pool',
        lendingBaseline: true,
        returnHalfLifeHours: null,
        feed: { kind: 'defillama', pool: POOL, apr: true, tvl: 'liquidity' },
      },
      {
        ...shared,
        id: 'vlt_b',
        chain: 'arbitrum-one',
        active: false,
        capacity: 1_000_000_500_000n,
        entryCost: 1n,
        exitCost: 0n,
        exitDelayHours: 24,
        dilution: 'none',
        lendingBaseline: false,
        returnHalfLifeHours: 48,
        feed: { kind: 'simulated' },
      },
    ]);
  });

  it('The vault catalogue keeps the order of keys, of whose text `config_version` is a digest', () => {
    const gas = { entry: 1, exit: 2, token_price: 3 };
    const feed = { kind: 'aave-v3', address: ADDRESS, reserve: ADDRESS };
    const { vaults } = read({ vaults: [vault({ feed }), other({ gas, return_half_life_hours: 1 })] });
    const known = [
      'id',
      'name',
      'venue',
      'chain',
      'asset',
      'riskTier',
      'active',
      'capacity',
      'entryCost',
      'exitCost',
    ];
    const more = ['exitDelayHours', 'dilution', 'lendingBaseline'];
    expect(vaults.map((vault) => Object.keys(vault))).toEqual([
      [...known, ...more, 'feed', 'gas', 'returnHalfLifeHours', 'onChain'],
      [...known, 'gas', ...more, 'returnHalfLifeHours', 'feed'],
    ]);
  });

  it('The vault catalogue reads a DefiLlama figure without apr as an APY, and smart contracts with or without a second source', () => {
    const secondSource = { kind: 'defillama', pool: POOL, apr: false, tvl: null };
    expect(feedOf({ kind: 'defillama', pool: POOL })).toEqual(secondSource);
    const address = ADDRESS.toLowerCase();
    expect(
      feedOf({ kind: 'aave-v3', address: ADDRESS, reserve: ADDRESS, defillama: { pool: POOL } }),
    ).toEqual({ kind: 'chain', standard: 'aave-v3', address, reserve: address, holder: null, secondSource });
    expect(feedOf({ kind: 'erc4626', address: ADDRESS })).toMatchObject({
      standard: 'erc4626',
      reserve: null,
      secondSource: null,
    });
  });

  it('The vault catalogue gets an idle vault of each asset', () =>
    expect(idleVault('USDT0')).toMatchObject({ id: 'vlt_idle_usdt0', name: 'Idle USDT0', chain: null }));

  it.each(
    // prettier-ignore
    [
      ['id', { id: 'aave' }, `is "aave"; ${SLUG}`],
      ['id', { id: undefined }, `is missing; ${SLUG}`],
      ['name', { name: '' }, 'is ""; it must be a text of 1 to 80 characters.'],
      ['risk_tier', { risk_tier: 'none' }, 'is "none"; it must be low or medium or high.'],
      ['chain', { chain: 'Ethereum' }, 'is "Ethereum"; it must be the name of a chain in lower case, such as ethereum.'],
      ['chain', { chain: 'polygon', feed: { kind: 'erc4626', address: ADDRESS } }, 'is "polygon"; a feed of kind erc4626 is read from ethereum, arbitrum, base, plasma.'],
      ['exit_delay_hours', { exit_delay_hours: 0.5 }, 'is 0.5; it must be a whole number from 0 to 8760.'],
      ['active', { active: 'yes' }, 'is "yes"; it must be true or false.'],
      ['active', { active: false }, 'is false; vlt_a_usdc is a lending baseline, which must be active.'],
      ['asset', { asset: 'DAI' }, 'is "DAI"; assets lists only USDC.'],
      ['id', { id: 'vlt_idle_usdc' }, 'is "vlt_idle_usdc"; ids that begin with vlt_idle_ are those of cash, which needs no entry.'],
      ['capacty', { capacty: 1 }, 'is not a setting; the nearest is capacity.'],
      ['capacity', { capacity: undefined }, `is missing; ${AMOUNT}`],
      ['entry_cost', { entry_cost: null }, `is null; ${AMOUNT}`],
      ['exit_cost', { exit_cost: '2 USDC' }, `is "2 USDC"; ${AMOUNT}`],
      ['feed', { feed: 'simulated' }, 'is "simulated"; it must be a mapping of keys to values.'],
      ['feed.kind', { feed: { kind: 'oracle' } }, `is "oracle"; ${KIND}`],
      ['feed.kind', { feed: {} }, `is missing; ${KIND}`],
      ['feed.pool', { feed: { kind: 'defillama', pool: '../pools' } }, `is "../pools"; ${POOL_ID}`],
      ['feed.pool', { feed: { kind: 'simulated', pool: POOL } }, 'is not a setting; the nearest is kind.'],
      ['feed.address', { feed: { kind: 'erc4626', address: '0x1234' } }, 'is "0x1234"; it must be the address of a contract, which is 20 bytes in hexadecimal behind 0x.'],
      ['feed.defillama.pool', { feed: { kind: 'compound-v3', address: ADDRESS, defillama: { pool: 'x' } } }, `is "x"; ${POOL_ID}`],
    ],
  )('The vault catalogue stops the start if %s of a vault is invalid: %j', (path, over, problem) => {
    expect(problems({ vaults: [vault(over)] })).toContain(
      `config/partner.yaml: vaults[0].${path} ${problem}`,
    );
  });

  const apart = [vault(), other({ chain: 'base' })];
  const NO_LENDING = 'assets[0] is "USDC"; one of its vaults must have lending_baseline: true.';
  it.each<[string, Entry, string[]]>(
    // prettier-ignore
    [
      ['no list', { vaults: 'none' }, ['vaults is "none"; it must be a list of mappings of keys to values.']],
      ['an entry that is no mapping', { vaults: [vault(), null] }, ['vaults[1] is null; it must be a mapping of keys to values.']],
      ['an id twice', { vaults: [vault(), other({ id: 'vlt_a_usdc' })] }, ['vaults[1].id is "vlt_a_usdc"; vaults[0] has the same id.']],
      ['two lending vaults of an asset', { vaults: [vault(), vault({ id: 'vlt_b' })] }, ['vaults[1].lending_baseline is true; vaults[0] is the lending baseline of USDC already.']],
      ['a lending vault of each asset', { assets: ['USDC', 'DAI'], vaults: [vault(), vault({ id: 'vlt_b', asset: 'DAI', chain: 'base' })] }, []],
      ['no vault', { vaults: [] }, [NO_LENDING]],
      ['no lending vault', { vaults: [other()] }, [NO_LENDING]],
      ['a bridge between two chains of an asset', { vaults: apart, bridge_costs: [bridge('base', 'ethereum')] }, []],
      [
        'no bridge between two chains of an asset',
        { vaults: apart, bridge_costs: [bridge('base', 'plasma')] },
        ['bridge_costs is [["base","plasma"]]; it must be a list with a cost between each two chains of an asset\'s vaults: vaults of USDC are on base and ethereum.'],
      ],
      [
        'a bridge twice',
        { vaults: apart, bridge_costs: [bridge('base', 'ethereum'), bridge('ethereum', 'base')] },
        ['bridge_costs[1].between is ["ethereum","base"]; bridge_costs[0] is of the same chains.'],
      ],
      ['a bridge of one chain', { bridge_costs: [bridge('base', 'base')] }, [`bridge_costs[0].between is ["base","base"]; ${CHAINS}`]],
      ['a bridge of three chains', { bridge_costs: [bridge('base', 'ethereum', 'plasma')] }, [`bridge_costs[0].between is ["base","ethereum","plasma"]; ${CHAINS}`]],
      ['a bridge from a chain in upper case', { bridge_costs: [bridge('Base', 'ethereum')] }, [`bridge_costs[0].between[0] is "Base"; ${CHAINS}`]],
      [
        'a bridge with a fee for its cost',
        { bridge_costs: [{ between: ['base', 'ethereum'], fee: 1 }] },
        [`bridge_costs[0].cost is missing; ${AMOUNT}`, 'bridge_costs[0].fee is not a setting; the nearest is cost.'],
      ],
      ['a token on two chains', { tokens: [token(), token({ chain: 'base' })] }, []],
      ['a token of an asset that is not listed', { tokens: [token({ asset: 'DAI' })] }, ['tokens[0].asset is "DAI"; assets lists only USDC.']],
      ['a token twice', { tokens: [token(), token()] }, ['tokens[1].chain is "ethereum"; tokens[0] is USDC on it already.']],
      ['an address without checksum', { tokens: [token({ address: USDC.toLowerCase() })] }, [`tokens[0].address is "${USDC.toLowerCase()}"; ${CHECKSUM}`]],
      ['an address with a wrong checksum', { tokens: [token({ address: USDC.replace('A0b', 'A1b') })] }, [`tokens[0].address is "${USDC.replace('A0b', 'A1b')}"; ${CHECKSUM}`]],
    ],
  )('The vault catalogue with %s has these problems', (_, over, expected) =>
    expect(problems(over)).toEqual(expected.map((problem) => `config/partner.yaml: ${problem}`)),
  );
});

describe('an amount in whole units', () => {
  it.each([
    [0, 0n],
    [0.1, 100_000n],
    [0.000001, 1n],
    ['999999999999999.999999', 999_999_999_999_999_999_999n],
    ['007', 7_000_000n],
    ...[-1, 0.0000001, 1e21, NaN, '1.1234567', '1e6', '1,5', '.5', '1.', ' 1', '', '0x10'].map(
      (value): [string | number, undefined] => [value, undefined],
    ),
  ])('%j is %p micro-units', (value, micro) => expect(microUnits(value)).toBe(micro));
});

describe.each(['partner', 'sandbox'] as const)('the %s catalogue', (contract) => {
  const { constants, vaults, tokens } = readConstants(contract);

  it.each(constants.assets)('The catalogue has at least four vaults of %s over three risk tiers', (asset) => {
    const own = vaults.filter((candidate) => candidate.asset === asset);
    expect(own.length).toBeGreaterThanOrEqual(4);
    expect(new Set(own.map((candidate) => candidate.riskTier)).size).toBe(3);
  });

  it('The catalogue has real pools, each once, and tokens in the partner contract alone', () => {
    const pools = vaults.flatMap(({ feed }) => {
      const pool = feed.kind === 'chain' ? feed.secondSource : feed;
      return pool?.kind === 'defillama' ? [pool.pool] : [];
    });
    expect(pools).toHaveLength(contract === 'partner' ? vaults.length : 0);
    expect(new Set(pools).size).toBe(pools.length);
    expect(tokens).toHaveLength(contract === 'partner' ? 3 : 0);
  });
});
