import { describe, expect, it } from '@jest/globals';
import { readConstants } from '../../../config/constants.js';
import { vaultOf } from '../../../../test/support/vault.js';
import type { RoutingVault } from '../../routing/allocation/candidates.js';
import { vaultRules } from '../../routing/allocation/routing-constants.js';
import { addHours } from '../../kernel/clock.js';
import { alertData, alertOf, type KnownFact } from '../../outbound/alerts/alert.js';
import { NOTHING_RECENT } from '../../markets/vaults/recent.js';
import { watchVaults } from './vault-alerts.js';

const HOUR = new Date('2026-03-12T10:00:00.000Z');
const WATCH = {
  hour: HOUR,
  rules: vaultRules(readConstants('partner')),
  silentHours: 3,
  unseen: new Map<string, Date>(),
  onlyHeld: false,
};

/** Vault that holds funds and was observed the given number of hours ago. */
const evaluated = (hoursAgo: number, over: Partial<RoutingVault> = {}): RoutingVault => ({
  vault: vaultOf({ id: 'vlt_one' }),
  state: {
    lastApy: 0.05,
    lastTvl: null,
    lastAssets: null,
    lastLiquidity: null,
    quarantine: null,
    observedHour: addHours(HOUR, -hoursAgo),
    smoothed: null,
  },
  expectedApy: null,
  riskAdjustedApy: null,
  ...NOTHING_RECENT,
  indexChange: 0,
  held: 1n,
  own: 0n,
  ...over,
});
const known = (kind: KnownFact['kind'], over: Partial<KnownFact> = {}): KnownFact => ({
  ...{ kind, subject: 'vlt_one', why: 'lost 2 %', since: addHours(HOUR, -5), until: null },
  ...over,
});
const changes = (one: RoutingVault, before: KnownFact[] = [], watch = WATCH): [string[], string[]] => {
  const { begun, over } = watchVaults([one], before, watch);
  return [begun.map(({ kind }) => kind), over.map(({ kind }) => kind)];
};

describe('the alerts on a vault', () => {
  it('start with the third hour without an observation, even without funds unless limited to held vaults', () => {
    expect(changes(evaluated(2))).toEqual([[], []]);
    expect(changes(evaluated(3))).toEqual([['vault_silent'], []]);
    expect(changes(evaluated(3, { held: 0n }))).toEqual([['vault_silent'], []]);
    expect(changes(evaluated(3, { held: 0n }), [], { ...WATCH, onlyHeld: true })).toEqual([[], []]);
  });

  it('start three hours after the first hour of a vault never observed, and clear with an observation', () => {
    const never = evaluated(0, { held: 0n, state: { ...evaluated(0).state, observedHour: null } });
    const from = (hoursAgo: number) => ({
      ...WATCH,
      unseen: new Map([['vlt_one', addHours(HOUR, -hoursAgo)]]),
    });
    expect(changes(never)).toEqual([[], []]);
    expect(changes(never, [], from(2))).toEqual([[], []]);
    expect(changes(never, [], from(3))).toEqual([['vault_silent'], []]);
    expect(watchVaults([never], [], from(3)).begun).toMatchObject([
      {
        why: `has not been observed since ${addHours(HOUR, -3).toISOString()}, its first hour`,
        since: addHours(HOUR, -3),
      },
    ]);
    const closed = { ...never, vault: vaultOf({ id: 'vlt_one', active: false }) };
    expect(changes(closed, [], from(3))).toEqual([[], []]);
    expect(changes(evaluated(0, { held: 0n }), [known('vault_silent')])).toEqual([[], ['vault_silent']]);
  });

  it('include an eviction while the vault holds funds and must not keep them', () => {
    expect(changes(evaluated(25))).toEqual([['vault_evicted', 'vault_silent'], []]);
    expect(changes(evaluated(0, { indexChange: -0.02 }))).toEqual([['vault_evicted'], []]);
    expect(changes(evaluated(0, { assetsChange: -0.6 }))).toEqual([['vault_evicted'], []]);
    expect(changes(evaluated(0, { indexChange: -0.02, held: 0n }))).toEqual([[], []]);
    // An inactive vault is silent by design.
    const closed = { vault: vaultOf({ id: 'vlt_one', active: false }) };
    expect(changes(evaluated(30, closed))).toEqual([['vault_evicted'], []]);
    expect(changes(evaluated(30, { ...closed, held: 0n }))).toEqual([[], []]);
  });

  it('are sent once, and last until the condition clears, even without remaining funds', () => {
    const before = [known('vault_evicted'), known('vault_silent')];
    expect(changes(evaluated(25), before)).toEqual([[], []]);
    expect(changes(evaluated(25, { held: 0n }), before)).toEqual([[], []]);
    expect(changes(evaluated(0), before)).toEqual([[], ['vault_evicted', 'vault_silent']]);
    const ended = [known('vault_silent', { until: HOUR })];
    expect(changes(evaluated(0), ended)).toEqual([[], []]);
    // The fact may begin again once everybody was told of its end.
    expect(changes(evaluated(3), ended)).toEqual([[], []]);
  });

  it('have a message and times', () => {
    const { begun } = watchVaults([evaluated(0, { indexChange: -0.0213 })], [], WATCH);
    const fact: KnownFact = { ...begun[0]!, until: null };
    expect(alertOf(fact, 'One').message).toBe(
      'All funds leave the vault One (vlt_one): it lost 2.13 % of its value a share within a day.',
    );
    const later = addHours(HOUR, 2);
    expect(alertData(alertOf({ ...fact, until: later }, 'One'), later)).toEqual({
      message: `The vault One (vlt_one) may keep funds again. They left it from ${HOUR.toISOString()} on: it lost 2.13 % of its value a share within a day.`,
      requested_at: later.toISOString(),
      alert: {
        kind: 'vault_evicted',
        state: 'over',
        since: HOUR.toISOString(),
        until: later.toISOString(),
        vault_id: 'vlt_one',
        settlement_id: null,
        move_id: null,
        what_to_do: 'Nothing: the condition has cleared.',
      },
    });
  });
});
