import { describe, expect, it } from '@jest/globals';
import { readConstants } from '../../../config/constants.js';
import { routingVault, vaultOf } from '../../../../test/support/vault.js';
import type { RoutingVault } from '../../routing/allocation/candidates.js';
import { vaultRules } from '../../routing/allocation/routing-constants.js';
import { addHours } from '../../kernel/clock.js';
import { alertData, alertOf, type KnownFact } from '../../outbound/alerts/alert.js';
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
const evaluated = (hoursAgo: number, over: Partial<RoutingVault> = {}): RoutingVault =>
  routingVault(addHours(HOUR, -hoursAgo), { held: 1n, ...over });
const knownFact = (kind: KnownFact['kind'], over: Partial<KnownFact> = {}): KnownFact => ({
  kind,
  subject: 'vlt_one',
  why: 'lost 2 %',
  since: addHours(HOUR, -5),
  until: null,
  ...over,
});
/** The kinds that start and those that clear. */
type Changes = [begun: string[], over: string[]];
const changes = (vault: RoutingVault, before: KnownFact[] = [], watch = WATCH): Changes => {
  const { begun, over } = watchVaults([vault], before, watch);
  return [begun.map(({ kind }) => kind), over.map(({ kind }) => kind)];
};

const EMPTY = { held: 0n };
/** An inactive vault is silent by design. */
const INACTIVE = { vault: vaultOf({ id: 'vlt_one', active: false }) };
const NEVER = { ...EMPTY, state: { ...evaluated(0).state, observedHour: null } };
const BOTH = [knownFact('vault_evicted'), knownFact('vault_silent')];
const ENDED = [knownFact('vault_silent', { until: HOUR })];
/** The first hour of a vault that was never observed. */
const firstSeen = (hoursAgo: number) => ({
  ...WATCH,
  unseen: new Map([['vlt_one', addHours(HOUR, -hoursAgo)]]),
});

describe('the alerts on a vault', () => {
  it.each<[string, RoutingVault, Changes, KnownFact[]?, typeof WATCH?]>(
    // prettier-ignore
    [
      ['do not start within two hours without an observation', evaluated(2), [[], []]],
      ['start with the third hour without an observation', evaluated(3), [['vault_silent'], []]],
      ['start even without funds', evaluated(3, EMPTY), [['vault_silent'], []]],
      ['do not start without funds if limited to held vaults', evaluated(3, EMPTY), [[], []], [], { ...WATCH, onlyHeld: true }],
      ['do not start for a vault that has no first hour', evaluated(0, NEVER), [[], []]],
      ['do not start within two hours of the first hour of a vault', evaluated(0, NEVER), [[], []], [], firstSeen(2)],
      ['start three hours after the first hour of a vault never observed', evaluated(0, NEVER), [['vault_silent'], []], [], firstSeen(3)],
      ['do not start for an inactive vault never observed', evaluated(0, { ...NEVER, ...INACTIVE }), [[], []], [], firstSeen(3)],
      ['clear with an observation', evaluated(0, EMPTY), [[], ['vault_silent']], [knownFact('vault_silent')]],
      ['include an eviction after a day of silence', evaluated(25), [['vault_evicted', 'vault_silent'], []]],
      ['include an eviction after a loss', evaluated(0, { indexChange: -0.02 }), [['vault_evicted'], []]],
      ['include an eviction after an outflow', evaluated(0, { assetsChange: -0.6 }), [['vault_evicted'], []]],
      ['include no eviction from a vault without funds', evaluated(0, { indexChange: -0.02, ...EMPTY }), [[], []]],
      ['include an eviction from an inactive vault, which is not silent', evaluated(30, INACTIVE), [['vault_evicted'], []]],
      ['do not start for an inactive vault without funds', evaluated(30, { ...INACTIVE, ...EMPTY }), [[], []]],
      ['are sent once', evaluated(25), [[], []], BOTH],
      ['last until the condition clears, even without remaining funds', evaluated(25, EMPTY), [[], []], BOTH],
      ['clear when the condition does', evaluated(0), [[], ['vault_evicted', 'vault_silent']], BOTH],
      ['clear once', evaluated(0), [[], []], ENDED],
      ['do not start again before everybody was notified of the end', evaluated(3), [[], []], ENDED],
    ],
  )('The alerts on a vault %s', (_, vault, expected, before = [], watch = WATCH) =>
    expect(changes(vault, before, watch)).toEqual(expected),
  );

  it('The alerts on a vault that was never observed name its first hour', () =>
    expect(watchVaults([evaluated(0, NEVER)], [], firstSeen(3)).begun).toMatchObject([
      {
        why: `has not been observed since ${addHours(HOUR, -3).toISOString()}, its first hour`,
        since: addHours(HOUR, -3),
      },
    ]));

  it('The alerts on a vault have a message and times', () => {
    const { begun } = watchVaults([evaluated(0, { indexChange: -0.0213 })], [], WATCH);
    const fact: KnownFact = { ...begun[0]!, until: null };
    expect(alertOf(fact, 'One').message).toBe(
      'All funds leave the vault One (vlt_one): it lost 2.13 % of its value per share within a day.',
    );
    const later = addHours(HOUR, 2);
    expect(alertData(alertOf({ ...fact, until: later }, 'One'), later)).toEqual({
      message: `The vault One (vlt_one) may hold funds again. It had been evicted since ${HOUR.toISOString()}: it lost 2.13 % of its value per share within a day.`,
      requested_at: later.toISOString(),
      alert: {
        kind: 'vault_evicted',
        state: 'over',
        since: HOUR.toISOString(),
        until: later.toISOString(),
        vault_id: 'vlt_one',
        settlement_id: null,
        move_id: null,
        withdrawal_id: null,
        what_to_do: 'Nothing: the condition has cleared.',
      },
    });
  });
});
