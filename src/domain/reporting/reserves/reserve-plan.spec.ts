import { describe, expect, it } from '@jest/globals';
import { loadSettings, type Settings } from '../../../config/settings.js';
import { planReserves } from './reserve-plan.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const ACCOUNT = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const ACCOUNTS = { CUSTODY_ACCOUNTS_ETHEREUM: ACCOUNT, CUSTODY_ACCOUNTS_PLASMA: ACCOUNT };
const load = (env: Record<string, string> = {}): Settings =>
  loadSettings({ CONTRACT: 'partner', SECRETS_KEY: KEY, ...env });
const plan = (settings: Settings, readable: readonly string[] = ['ethereum']) =>
  new Map(planReserves(settings, (chain) => readable.includes(chain)).map((row) => [row.vaultId, row]));

describe('the reserves to read', () => {
  it('The reserves to read are each vault with real funds, and the cash of its asset', () => {
    const settings = load(ACCOUNTS);
    expect([...plan(settings).keys()].toSorted()).toEqual(settings.vaults.map(({ id }) => id).toSorted());
    expect(plan(load({ YIELDS: 'simulated' })).size).toBe(0);
    expect(plan(load({ CONTRACT: 'sandbox' })).size).toBe(0);
  });

  it('The reserves to read name the reason for which a chain, a contract or a queue cannot be read', () => {
    const settings = load(ACCOUNTS);
    const bare = settings.vaults.find(({ id }) => id === 'vlt_compound_v3_usdc')!;
    delete bare.onChain;
    const rows = plan(settings);
    const reasonOf = (id: string) => rows.get(id)!.reason;
    expect(reasonOf('vlt_aave_v3_usdc')).toBeNull();
    expect(reasonOf('vlt_compound_v3_usdc')).toBe('contract_unknown');
    expect(reasonOf('vlt_aave_v3_usdt0_arbitrum')).toBe('no_account');
    expect(reasonOf('vlt_aave_v3_usdt0_plasma')).toBe('no_rpc_url');
    const queued = settings.vaults.find(
      ({ chain, exitDelayHours }) => chain === 'ethereum' && exitDelayHours > 0,
    )!;
    expect(reasonOf(queued.id)).toBe('queue');
    settings.tokens = [];
    expect(plan(settings).get('vlt_aave_v3_usdc')!.reason).toBe('token_unknown');
    expect(plan(settings).get('vlt_idle_usdc')).toMatchObject({ chain: null, reason: 'token_unknown' });
    expect(plan(load()).get('vlt_idle_usdc')).toMatchObject({ chain: null, reason: 'no_account' });
  });

  it('The reserves to read have cash on the one chain with accounts, and of several chains only all of them together', () => {
    expect(plan(load(ACCOUNTS), ['plasma']).get('vlt_idle_usdt0')).toMatchObject({
      chain: 'plasma',
      reason: null,
      sources: [{ chain: 'plasma', accounts: [ACCOUNT], contract: { standard: 'token' } }],
    });
    const both = load({ ...ACCOUNTS, CUSTODY_ACCOUNTS_ARBITRUM: ACCOUNT });
    expect(plan(both, ['plasma']).get('vlt_idle_usdt0')).toMatchObject({ chain: null, reason: 'no_rpc_url' });
    const { chain, sources } = plan(both, ['plasma', 'arbitrum']).get('vlt_idle_usdt0')!;
    expect([chain, sources.map((source) => source.chain).toSorted()]).toEqual([null, ['arbitrum', 'plasma']]);
  });
});
