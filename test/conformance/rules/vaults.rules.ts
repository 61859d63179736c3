import { dataOf, equals, holds, rowsOf, shows } from '../check.js';
import { rulesOf } from '../rule.js';

export const vaultsRules = rulesOf('vaults', {
  listed: [
    'Every asset of the contract has one lending baseline, and no vault has another asset; without an observation figures are null.',
    async (stage) => {
      const answer = await (await stage.partner()).caller.get('/vaults?limit=500');
      const vaults = rowsOf(answer);
      const baselines = vaults.filter((vault) => vault.lending_baseline).map(({ asset }) => asset);
      equals('the assets of the baselines', baselines.sort(), [...stage.assets].sort(), answer);
      const foreign = vaults.find(({ asset }) => !stage.assets.includes(asset));
      holds(foreign === undefined, `${foreign?.id} is of another asset`, answer);
      const unknown = { apy: null, tvl: null, assets: null, liquidity: null, stale: true };
      for (const vault of vaults.filter((vault) => vault.observed_at === null))
        shows(`what is known of ${vault.id}`, vault, unknown, answer);
      for (const { id, assets, liquidity } of vaults.filter(({ assets }) => assets !== null))
        holds(liquidity === null || liquidity <= assets, `more can leave ${id} than it has`, answer);
    },
  ],
  history: [
    'The history of a vault has points of unique times, oldest first.',
    async (stage) => {
      const { caller } = await stage.partner();
      const [vault] = rowsOf(await caller.get('/vaults?limit=500')).filter((row) => row.observed_at !== null);
      if (vault === undefined) return;
      const answer = await caller.get(`/vaults/${vault.id}/history`);
      const { vault_id: id, points } = dataOf(answer, 200);
      equals('vault_id', id, vault.id, answer);
      const times = points.map(({ at }: any) => at);
      holds(times.length > 0, 'it has no point', answer);
      equals('the order', times, [...new Set(times)].sort(), answer);
    },
  ],
});
