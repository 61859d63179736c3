import { dataOf, equals, holds, refused, refusedField, rowsOf, shows } from '../check.js';
import { rulesOf } from '../rule.js';
import { expectChosen } from './figures.js';

const OPEN = { allowed_vaults: null, max_risk_tier: null, min_gain: null, paused: false };
const NARROW = { allowed_vaults: null, max_risk_tier: 'medium', min_gain: 0.01, paused: false };

export const policiesRules = rulesOf('policies', {
  replaced: [
    'A PUT replaces the whole policy; a repeat is no new version; a missing rule or an unknown vault is a 400.',
    async (stage) => {
      const { caller } = await stage.traveller();
      const first = await caller.get('/partner/policy');
      const { version } = dataOf(first, 200);
      if (version === 0) shows('what a new partner asks for', first.body.data, OPEN, first);
      const [vault] = rowsOf(await caller.get('/vaults?limit=1'));
      const rules = { ...NARROW, min_gain: 0.01 + version / 1000, allowed_vaults: [vault.id] };
      const put = await caller.send('PUT', '/partner/policy', rules);
      equals('the version', dataOf(put, 200).version, version + 1, put);
      shows('what is in force', put.body.data.in_force, rules, put);
      const read = await caller.get('/partner/policy');
      equals('what is read', dataOf(read, 200), put.body.data, read);
      const again = await caller.send('PUT', '/partner/policy', rules);
      equals('the version', dataOf(again, 200).version, version + 1, again);
      refusedField(await caller.send('PUT', '/partner/policy', { ...OPEN, paused: undefined }), 'paused');
      const unknown = { ...OPEN, allowed_vaults: ['vlt_of_nobody'] };
      refusedField(await caller.send('PUT', '/partner/policy', unknown), 'allowed_vaults[0]');
    },
  ],
  bounded: [
    'The narrower of a policy and its bounds is in force; a wider policy is a 422 policy_out_of_bounds for the field.',
    async (stage) => {
      const { id, caller } = await stage.traveller();
      const path = `/partners/${id}/policy`;
      dataOf(await stage.admin.send('PUT', path, OPEN), 200);
      dataOf(await caller.send('PUT', '/partner/policy', OPEN), 200);
      dataOf(await stage.admin.send('PUT', path, NARROW), 200);
      const read = await caller.get('/partner/policy');
      const { in_force, bounds } = dataOf(read, 200);
      for (const rules of [bounds, in_force]) shows('the bounds, and what is in force,', rules, NARROW, read);
      for (const [field, value] of [
        ['max_risk_tier', 'high'],
        ['min_gain', 0.001],
      ] as const) {
        const answer = await caller.send('PUT', '/partner/policy', { ...OPEN, [field]: value });
        refused(answer, 422, 'policy_out_of_bounds');
        equals('the field', answer.body.error.details?.[0]?.field, field, answer);
      }
      refused(await caller.send('PUT', path, OPEN), 403, 'insufficient_scope');
    },
  ],
  previewed: [
    'A preview is a decision on a deposit that is not stored; under a pause every vault fails its policy gate.',
    async (stage) => {
      // Each partner of a sandbox costs a month of its market.
      const { caller } = await stage.stranger();
      const [asset] = stage.assets;
      const preview = (): Promise<any> => caller.post('/positions/preview', { asset, amount: 100 });
      const newest = async (): Promise<any> =>
        dataOf(await caller.get('/analytics/decisions?limit=1'), 200)[0]?.id;
      const before = await newest();
      const answer = await preview();
      const { inputs, ...shown } = dataOf(answer, 200);
      const { snapshot_hour, config_version } = shown;
      shows('the decision', shown, { kind: 'route', asset, from_vault_id: null }, answer);
      const given = { asset, amount: 100, policy: null, snapshot_hour, config_version };
      shows('its inputs', inputs, given, answer);
      expectChosen(answer.body.data, answer);
      equals('the newest decision', await newest(), before);
      dataOf(await caller.send('PUT', '/partner/policy', { ...OPEN, paused: true }), 200);
      const paused = await preview();
      const gates = dataOf(paused, 200)
        .alternatives.filter(({ vault_id }: any) => !vault_id.startsWith('vlt_idle_'))
        .map((alternative: any) => alternative.gates.find(({ gate }: any) => gate === 'policy'));
      holds(
        gates.length > 0 &&
          gates.every((gate: any) => gate?.passed === false && gate.rules.includes('paused')),
        'a vault takes funds while the policy is paused',
        paused,
      );
      refusedField(await caller.post('/positions/preview', { asset: 'DOGE', amount: 1 }), 'asset');
      refusedField(await caller.post('/positions/preview', { asset, amount: 0 }), 'amount');
      dataOf(await caller.send('PUT', '/partner/policy', OPEN), 200);
      const again = await preview();
      equals('what is chosen', dataOf(again, 200).to_vault_id, answer.body.data.to_vault_id, again);
    },
  ],
});
