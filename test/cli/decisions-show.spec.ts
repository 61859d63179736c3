import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decide } from '../../src/domain/routing/allocation/choice.js';
import { newId } from '../../src/domain/kernel/identifier.js';
import { type CommandRun, vaultline } from '../support/command.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;

/** The operator sees the whole record of a decision, which no partner does. */
describe('vaultline decisions show', () => {
  let engine: Engine;
  let partnerId: string;
  let positionId: string;

  beforeAll(async () => {
    engine = await Engine.start('partner', { adjust: ({ signals }) => (signals.minSnapshots = 3) });
    engine.sights = Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: 0.03 }]));
    engine.sights.vlt_aave_v3_usdc = { apy: 0.04 };
    await engine.hours(6);
    const other = await engine.createPartner();
    await engine.deposit(await engine.createUser(other), 1_234_567_891_234n);
    partnerId = await engine.createPartner();
    const user = await engine.createUser(partnerId);
    await engine.deposit(user, 500n * UNIT);
    engine.wait();
    positionId = (await engine.deposit(user, 100n * UNIT)).id;
  }, 60_000);
  afterAll(() => engine.stop());

  const command = (...words: string[]): Promise<CommandRun> =>
    vaultline(['--contract', 'partner', 'decisions', ...words], {
      DATABASE_URL: engine.database.url,
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    });

  it('Vaultline decisions show prints the whole record: holdings of all partners and of this one, and the inputs of a replay', async () => {
    const { id } = await engine.row<{ id: string }>('SELECT id FROM decisions WHERE position_id = $1', [
      positionId,
    ]);
    const { code, stdout, stderr } = await command('show', id);
    expect([code, stderr]).toEqual([0, '']);
    const { record, ...decision } = JSON.parse(stdout);
    expect(decision).toMatchObject({ id, partnerId, positionId, positions: 1, marketId: 'base' });
    const [{ held, own }] = record.inputs.candidates.filter(
      ({ vaultId }: any) => vaultId === record.toVaultId,
    );
    // The deposit comes a millisecond after the others. In that time all of them together earned one and a half micro-units, and this one almost
    // nothing.
    expect([held, own]).toEqual(['1235067891235', '500000000']);
    expect(JSON.stringify(decide(record.inputs))).toBe(JSON.stringify(record));
  });

  it('Vaultline decisions replay reproduces a decision, even from an older record, and reports a difference', async () => {
    const { id } = await engine.row<{ id: string }>('SELECT id FROM decisions WHERE position_id = $1', [
      positionId,
    ]);
    expect(await command('replay', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        `${id} has the same result: route, best_vault. Deposited 100 USDC into`,
      ),
    });
    // The row is changed directly, because no command changes a decision.
    await engine.sql('ALTER TABLE decisions DISABLE TRIGGER USER');
    // A record of before, in other words and without what was not kept then.
    await engine.sql(
      `UPDATE decisions SET decision_market_id = NULL, record = regexp_replace(jsonb_set($2::jsonb, '{rationale}', '"In other words."')::text,
                                                    ', "currentRiskAdjustedApy": [^,}]*', '', 'g')::json WHERE id = $1`,
      [id, JSON.stringify(JSON.parse((await command('show', id)).stdout).record)],
    );
    expect((await command('show', id)).stdout).not.toContain('currentRiskAdjustedApy');
    expect(await command('replay', id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        `${id} has the same result: route, best_vault. Deposited 100 USDC into`,
      ),
    });
    await engine.sql(
      `UPDATE decisions SET record = jsonb_set(record::jsonb, '{toVaultId}', '"vlt_other"')::json WHERE id = $1`,
      [id],
    );
    expect(await command('replay', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${id} has another result: route, best_vault.`),
    });
  });

  it('Vaultline decisions show exits 1 with a message for an unknown decision', async () => {
    for (const id of [newId('decision', new Date()), 'dec_1'])
      expect(await command('show', id)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/decision/i),
      });
  });
});
