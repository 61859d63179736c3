import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PastPositions } from '../../src/domain/books/ledger/past-positions.js';
import type { Position } from '../../src/domain/books/positions/position.js';
import { addHours } from '../../src/domain/kernel/clock.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market.service.js';
import { onlyVaults } from '../support/catalogue.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;
const VAULT = 'vlt_aave_v3_usdc';
const POSITIONS = 120;
/** More than one statement reads. */
const WITHDRAWALS = 600;

describe('a read of past positions', () => {
  let engine: Engine;
  let past: PastPositions;
  let partner: string;
  let user: string;
  let withdrawn: string;
  let before: Date;

  beforeAll(async () => {
    engine = await Engine.start('partner', { change: onlyVaults(VAULT) });
    past = engine.context.get(PastPositions);
    engine.sights = { [VAULT]: { apy: 0.05 } };
    await engine.hours();
    partner = await engine.createPartner();
    user = await engine.createUser(partner);
    for (let made = 0; made < POSITIONS; made++)
      ({ id: withdrawn } = await engine.deposit(user, 1_000n * UNIT));
    for (let made = 0; made < WITHDRAWALS; made++) {
      engine.wait();
      await engine.withdraw(withdrawn, UNIT);
    }
    engine.wait();
    before = engine.now;
  }, 120_000);
  afterAll(() => engine.stop());

  const readAt = async (moment: Date): Promise<Position[][]> => {
    const parts: Position[][] = [];
    for await (const part of past.readOfUsers([user], await past.quotesAt(BASE_MARKET, moment)))
      parts.push(part);
    return parts;
  };

  it('A read of past positions has a hundred at a time, with turns of the event loop in between', async () => {
    let turns = 0;
    const count = (): void => {
      turns++;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const turnsBefore: number[] = [];
    const sizes: number[] = [];
    for await (const part of past.readOfUsers([user], await past.quotesAt(BASE_MARKET, before))) {
      sizes.push(part.length);
      turnsBefore.push(turns);
    }
    clearImmediate(turn);
    expect(sizes).toEqual([100, 20]);
    expect(new Set(turnsBefore).size).toBe(2);
  });

  it('A read of past positions finds one as it was, however often it changed before and since', async () => {
    const then = (await readAt(before)).flat();
    engine.wait();
    await engine.withdraw(withdrawn, UNIT);
    await engine.withdraw(then[0]!.id, null);
    await engine.deposit(user, UNIT);
    expect((await readAt(before)).flat()).toEqual(then);
    expect(then.find(({ id }) => id === withdrawn)).toMatchObject({
      deposited: 1_000n * UNIT,
      withdrawn: BigInt(WITHDRAWALS) * UNIT,
      withdrawals: WITHDRAWALS,
    });
    expect(await readAt(addHours(before, -2))).toEqual([]);
  });

  it('A read of past positions is one at a time for a partner, and others have theirs meanwhile', async () => {
    const ended: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = past.runInTurn(partner, () => gate.promise.then(() => ended.push('first')));
    const second = past.runInTurn(partner, async () => ended.push('second'));
    await past.runInTurn('ptn_other', async () => ended.push('other'));
    gate.resolve();
    await Promise.all([first, second]);
    expect(ended).toEqual(['other', 'first', 'second']);
  });
});
