import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { ConfigError } from './config-error.js';
import { readConstants } from './constants.js';
import { microUnits } from './setting-kinds.js';

const POOL = 'aa70268e-4b52-42bf-a116-608b370f9501';
const ADDRESS = '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2';

const vault = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
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

function read(
  vaults: unknown,
  assets: unknown = ['USDC'],
  bridges: unknown = [],
): ReturnType<typeof readConstants> {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  try {
    cpSync('config', folder, { recursive: true });
    writeFileSync(join(folder, 'partner.yaml'), stringify({ assets, vaults, bridge_costs: bridges }));
    return readConstants('partner', folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function problems(vaults: unknown, assets?: unknown, bridges?: unknown): readonly string[] {
  try {
    read(vaults, assets, bridges);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the vault catalogue', () => {
  it('accepts feeds of smart contracts on supported chains, with or without a second source', () => {
    const feed = { kind: 'aave-v3', address: ADDRESS, reserve: ADDRESS, defillama: { pool: POOL } };
    expect(read([vault({ feed })]).vaults[0]!.feed).toEqual({
      kind: 'chain',
      standard: 'aave-v3',
      address: ADDRESS.toLowerCase(),
      reserve: ADDRESS.toLowerCase(),
      holder: null,
      opinion: { kind: 'defillama', pool: POOL, apr: false, tvl: null },
    });
    expect(read([vault({ feed: { kind: 'erc4626', address: ADDRESS } })]).vaults[0]!.feed).toMatchObject({
      standard: 'erc4626',
      reserve: null,
      holder: null,
      opinion: null,
    });
    expect(problems([vault({ chain: 'polygon', feed: { kind: 'erc4626', address: ADDRESS } })])).toEqual([
      'config/partner.yaml: vaults[0].chain is "polygon"; a feed of kind erc4626 is read from ethereum, arbitrum, base, plasma.',
    ]);
  });

  it('is parsed with its defaults, amounts and bridge costs', () => {
    const second = vault({
      id: 'vlt_b_usdc',
      active: false,
      capacity: '1000000.5',
      entry_cost: 0.000001,
      exit_cost: 0,
      exit_delay_hours: 24,
      dilution: 'none',
      chain: 'arbitrum-one',
      lending_baseline: false,
      return_half_life_hours: 48,
      feed: { kind: 'simulated' },
    });
    const bridge = { between: ['arbitrum-one', 'ethereum'], cost: 0.5 };
    const { vaults, bridgeCosts } = read([vault(), second], ['USDC'], [bridge]);
    expect(bridgeCosts).toEqual([{ ...bridge, cost: 500_000n }]);
    expect(vaults).toEqual([
      {
        id: 'vlt_a_usdc',
        name: 'A USDC',
        venue: 'A',
        chain: 'ethereum',
        asset: 'USDC',
        riskTier: 'low',
        active: true,
        capacity: null,
        entryCost: 1_000_000n,
        exitCost: 1_000_000n,
        gas: null,
        exitDelayHours: 0,
        dilution: 'pool',
        lendingBaseline: true,
        returnHalfLifeHours: null,
        feed: { kind: 'defillama', pool: POOL, apr: true, tvl: 'liquidity' },
      },
      expect.objectContaining({
        id: 'vlt_b_usdc',
        active: false,
        capacity: 1_000_000_500_000n,
        chain: 'arbitrum-one',
        entryCost: 1n,
        exitCost: 0n,
        exitDelayHours: 24,
        dilution: 'none',
        returnHalfLifeHours: 48,
        feed: { kind: 'simulated' },
      }),
    ]);
  });

  it('reads a DefiLlama figure without apr as an APY', () => {
    expect(read([vault({ feed: { kind: 'defillama', pool: POOL } })]).vaults[0]?.feed).toEqual({
      kind: 'defillama',
      pool: POOL,
      apr: false,
      tvl: null,
    });
  });

  it.each(
    // prettier-ignore
    [
      ['id', 'aave', 'is "aave"; it must be vlt_ and a slug, up to 64 characters in all, such as vlt_aave_v3_usdc.'],
      ['id', undefined, 'is missing; it must be vlt_ and a slug, up to 64 characters in all, such as vlt_aave_v3_usdc.'],
      ['name', '', 'is ""; it must be a text of 1 to 80 characters.'],
      ['risk_tier', 'none', 'is "none"; it must be low or medium or high.'],
      ['chain', 'Ethereum', 'is "Ethereum"; it must be the name of a chain in lower case, such as ethereum.'],
      ['exit_delay_hours', 0.5, 'is 0.5; it must be a whole number from 0 to 8760.'],
      ['dilution', 'all', 'is "all"; it must be pool or none.'],
      ['active', 'yes', 'is "yes"; it must be true or false.'],
      ['capacty', 1, 'is not a setting; the nearest is capacity.'],
      ['feed', 'simulated', 'is "simulated"; it must be a mapping of keys to values.'],
      ['feed', undefined, 'is missing; it must be a mapping of keys to values.'],
      ['feed.kind', { kind: 'oracle' }, 'is "oracle"; it must be simulated or defillama or erc4626 or aave-v3 or compound-v3.'],
      ['feed.kind', {}, 'is missing; it must be simulated or defillama or erc4626 or aave-v3 or compound-v3.'],
      ['feed.pool', { kind: 'defillama', pool: '../pools' }, 'is "../pools"; it must be a pool id of DefiLlama, which is a UUID in lower case.'],
      ['feed.pool', { kind: 'simulated', pool: POOL }, 'is not a setting; the nearest is kind.'],
      ['feed.apr', { kind: 'defillama', pool: POOL, apr: 'no' }, 'is "no"; it must be true or false.'],
      [
        'feed.address',
        { kind: 'erc4626', address: '0x1234' },
        'is "0x1234"; it must be the address of a contract, which is 20 bytes in hexadecimal behind 0x.',
      ],
      [
        'feed.defillama.pool',
        { kind: 'compound-v3', address: ADDRESS, defillama: { pool: 'x' } },
        'is "x"; it must be a pool id of DefiLlama, which is a UUID in lower case.',
      ],
      ['feed.chain', { kind: 'defillama', pool: POOL, chain: 'x' }, 'is not a setting; the nearest is kind.'],
    ],
  )('stops the start if %s is invalid: %j', (path, value, expected) => {
    const [key = ''] = path.split('.');
    expect(problems([vault({ [key]: value })])).toContain(
      `config/partner.yaml: vaults[0].${path} ${expected}`,
    );
  });

  it.each([
    ['capacity', 0.0000001],
    ['capacity', '1.1234567'],
    ['capacity', -1],
    ['capacity', true],
    ['capacity', '1e6'],
    ['capacity', ' 1'],
    ['capacity', ''],
    ['capacity', undefined],
    ['capacity', Infinity],
    ['entry_cost', null],
    ['exit_cost', '2 USDC'],
    ['exit_cost', undefined],
    ['entry_cost', []],
  ])('rejects %s: %j', (key, value) => {
    expect(problems([vault({ [key]: value })])).toEqual([
      expect.stringContaining(
        '; it must be an amount in whole units, not negative, with at most 6 decimals.',
      ),
    ]);
  });

  it.each([
    [null, 'vaults is null'],
    [{}, 'vaults is {}'],
    ['none', 'vaults is "none"'],
    [[null], 'vaults[0] is null'],
    [['vlt_a_usdc'], 'vaults[0] is "vlt_a_usdc"'],
    [[[]], 'vaults[0] is []'],
    [undefined, 'vaults is missing'],
  ])('must be a list of mappings, not %j', (vaults, expected) => {
    const found = problems(vaults);
    expect(found).not.toEqual([]);
    expect(found).toEqual(expect.arrayContaining([expect.stringContaining(expected)]));
  });
});

describe('the vaults of a catalogue', () => {
  it('must have unique ids', () => {
    expect(problems([vault(), vault({ lending_baseline: false })])).toEqual([
      'config/partner.yaml: vaults[1].id is "vlt_a_usdc"; vaults[0] has the same id.',
    ]);
  });

  it('must have assets that the contract lists', () => {
    expect(problems([vault(), vault({ id: 'vlt_b', asset: 'DAI' })])).toEqual([
      'config/partner.yaml: vaults[1].asset is "DAI"; assets lists only USDC.',
    ]);
  });

  it('must not have the ids of idle vaults', () => {
    expect(problems([vault({ id: 'vlt_idle_usdc' })])).toEqual([
      'config/partner.yaml: vaults[0].id is "vlt_idle_usdc"; ids that begin with vlt_idle_ are those of cash, which needs no entry.',
    ]);
  });

  it('must have only one lending vault for each asset', () => {
    const other = vault({ id: 'vlt_b' });
    expect(problems([vault(), other])).toEqual([
      'config/partner.yaml: vaults[1].lending_baseline is true; vaults[0] is the lending baseline of USDC already.',
    ]);
    expect(problems([vault(), vault({ id: 'vlt_b', asset: 'DAI' })], ['USDC', 'DAI'])).toEqual([]);
  });

  it.each([[[]], [[vault({ lending_baseline: false })]]])('must include a lending vault: %#', (vaults) => {
    expect(problems(vaults)).toEqual([
      'config/partner.yaml: assets[0] is "USDC"; one of its vaults must have lending_baseline: true.',
    ]);
  });

  it('must include an active lending vault', () => {
    expect(problems([vault({ active: false })])).toEqual([
      'config/partner.yaml: vaults[0].active is false; vlt_a_usdc is a lending baseline, which must be active.',
    ]);
  });
});

describe('bridge costs', () => {
  const apart = [vault(), vault({ id: 'vlt_b', chain: 'base', lending_baseline: false })];
  const bridge = (...between: unknown[]) => ({ between, cost: 1 });

  it('must exist for each pair of chains of an asset', () => {
    expect(problems(apart, ['USDC'], [bridge('base', 'ethereum')])).toEqual([]);
    expect(problems(apart, ['USDC'], [bridge('base', 'plasma')])).toEqual([
      'config/partner.yaml: bridge_costs is [["base","plasma"]]; it must be a list with a cost between each two chains of an asset\'s vaults: vaults of USDC are on base and ethereum.',
    ]);
    const two = [vault(), vault({ id: 'vlt_b', asset: 'DAI', chain: 'base' })];
    expect(problems(two, ['USDC', 'DAI'])).toEqual([]);
  });

  it('must not repeat a pair of chains', () => {
    expect(problems(apart, ['USDC'], [bridge('base', 'ethereum'), bridge('ethereum', 'base')])).toEqual([
      'config/partner.yaml: bridge_costs[1].between is ["ethereum","base"]; bridge_costs[0] is of the same chains.',
    ]);
  });

  it.each([[['base']], [['base', 'base']], [['base', 'ethereum', 'plasma']], ['base']])(
    'must be between two different chains, not %j',
    (between) => {
      expect(problems([vault()], ['USDC'], [{ between, cost: 1 }])).toEqual([
        `config/partner.yaml: bridge_costs[0].between is ${JSON.stringify(between)}; it must be a list of two different chains in lower case, such as [ethereum, arbitrum].`,
      ]);
    },
  );

  it('must name chains in lower case', () => {
    expect(problems([vault()], ['USDC'], [{ between: ['Base', 'ethereum'], cost: 1 }])).toEqual([
      'config/partner.yaml: bridge_costs[0].between[0] is "Base"; it must be a list of two different chains in lower case, such as [ethereum, arbitrum].',
    ]);
  });

  it('must have a cost, and no other key', () => {
    expect(problems([vault()], ['USDC'], [{ between: ['base', 'ethereum'], fee: 1 }])).toEqual([
      'config/partner.yaml: bridge_costs[0].cost is missing; it must be an amount in whole units, not negative, with at most 6 decimals.',
      'config/partner.yaml: bridge_costs[0].fee is not a setting; the nearest is cost.',
    ]);
  });
});

describe('micro-units', () => {
  it.each([
    [0, 0n],
    [2, 2_000_000n],
    [0.1, 100_000n],
    [0.000001, 1n],
    [1234567.654321, 1_234_567_654_321n],
    ['999999999999999.999999', 999_999_999_999_999_999_999n],
    ['007', 7_000_000n],
  ])('are parsed exactly from %j', (value, expected) => {
    expect(microUnits(value)).toBe(expected);
  });

  it.each([-1, 0.0000001, 1e21, NaN, '1,5', '.5', '1.', '0x10'])('are undefined for %p', (value) => {
    expect(microUnits(value)).toBeUndefined();
  });
});

describe.each(['partner', 'sandbox'] as const)('the %s catalogue', (contract) => {
  const { constants, vaults } = readConstants(contract);

  it.each(constants.assets)('has at least four vaults of %s over three risk tiers', (asset) => {
    const own = vaults.filter((candidate) => candidate.asset === asset);
    expect(own.length).toBeGreaterThanOrEqual(4);
    expect(new Set(own.map((candidate) => candidate.riskTier)).size).toBe(3);
    expect(own.filter((candidate) => candidate.lendingBaseline)).toHaveLength(1);
  });

  it('uses no DefiLlama pool twice', () => {
    const pools = vaults.flatMap(({ feed }) => {
      const pool = feed.kind === 'chain' ? feed.opinion : feed;
      return pool?.kind === 'defillama' ? [pool.pool] : [];
    });
    expect(pools).toHaveLength(contract === 'partner' ? vaults.length : 0);
    expect(new Set(pools).size).toBe(pools.length);
  });
});
