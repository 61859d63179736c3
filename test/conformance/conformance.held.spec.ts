import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { change } from '../support/change.js';
import { C } from '../support/moves.js';
import { PublishedDocument } from '../support/published-document.js';
import { ReservesStage } from '../support/reserves.js';
import { ALTERED } from './alterations.js';
import { AlteringProxy } from './altering-proxy.js';
import { rulesFor } from './rules.js';
import { Session, told } from './session.js';

jest.setTimeout(120_000);

const RULES = rulesFor('partner').filter(({ id }) => id.startsWith('reserves.'));
/** More than the run deposits. */
const HELD = 1_001_000_000n;

describe('partner contract whose chain is read: a deployment', () => {
  let stage: ReservesStage;
  let session: Session;
  let proxy: AlteringProxy;

  beforeAll(async () => {
    stage = await ReservesStage.start();
    // One vault is not read, because it pays out by a queue.
    change(stage.moves.vault(C), { exitDelayHours: 24 });
    const { app } = stage.moves.market;
    proxy = await AlteringProxy.start(app.url, new PublishedDocument('partner').content);
    session = await Session.open({
      url: proxy.url,
      contract: 'partner',
      adminKey: app.adminKey,
      seconds: 600,
      requests: 20_000,
    });
  });
  afterAll(async () => {
    await proxy?.close();
    await stage?.close();
  });

  it('A deployment skips each rule of reserves before the first reading, and the one of a partner until the next', async () => {
    const outcomes = async (): Promise<unknown[]> => {
      const results = [];
      for (const rule of RULES) results.push((await session.run(rule)).outcome);
      return results;
    };
    expect(await outcomes()).toEqual(RULES.map(() => 'skipped'));
    await stage.token.send('mint', stage.custody, HELD);
    await stage.shares.send('deposit', HELD, stage.custody);
    await stage.read();
    await stage.read();
  });

  it.each(RULES.map((rule) => [rule.id, rule.says, rule] as const))('%s: %s', async (_id, _says, rule) => {
    const result = await session.run(rule);
    if (result.outcome !== 'pass') throw new Error(told(result));
  });

  it.each(ALTERED.filter(([, , , only]) => only === 'held'))(
    '%s notices that %s',
    async (id, _wrong, alteration) => {
      proxy.alteration = alteration;
      const { outcome, why } = await session.run(RULES.find((rule) => rule.id === id)!);
      proxy.alteration = null;
      expect([outcome, why]).toEqual(['fail', expect.not.stringMatching(/got no answer|were made|is over/)]);
    },
  );

  it('A deployment is left without open positions', async () => {
    expect(await session.close()).toEqual([]);
    expect(await stage.moves.sql('SELECT id FROM positions WHERE closed_at IS NULL')).toEqual([]);
  });
});
