import { describe, expect, it } from '@jest/globals';
import { TypeID } from 'typeid-js';
import { ID_PREFIXES, type IdKind, isId, kindOf, newId, nextRandom } from './identifier.js';

const NOW = Date.parse('2026-11-20T12:34:56.000Z');
const at = (ahead: number): Date => new Date(NOW + ahead);
/** Part of an id after its time: the sequence and the random bits. */
const restOf = (id: string): string => TypeID.fromString(id).toUUID().slice(14);

describe('ids', () => {
  it('Ids sort by time, and within a millisecond in order of creation', () => {
    const ids = [0, 1, 2].flatMap((ahead) => Array.from({ length: 500 }, () => newId('user', at(ahead))));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(isId('user', id)).toBe(true);
  });

  it('Ids are TypeIDs of version 7 UUIDs with their time', () => {
    for (let n = 0; n < 500; n++) {
      const id = newId('user', at(n));
      const uuid = TypeID.fromString(id).toUUID();
      expect(TypeID.fromUUID('usr', uuid).toString()).toBe(id);
      expect(parseInt(uuid.slice(0, 13).replace('-', ''), 16)).toBe(NOW + n);
      expect(uuid[14]).toBe('7');
    }
  });

  it('Ids sort by creation even with two alternating clocks', () => {
    const turns = Array.from({ length: 500 }, (_, n) => newId('event', at(1_000 + (n % 2))));
    for (const clock of [0, 1]) {
      const clockIds = turns.filter((_, n) => n % 2 === clock);
      expect(clockIds.toSorted()).toEqual(clockIds);
    }
  });

  it('Ids do not reveal how many were created between two of them', () => {
    const rests = Array.from({ length: 100 }, (_, n) => restOf(newId('user', at(2_000 + n))));
    expect(rests.toSorted()).not.toEqual(rests);
    const heads = new Set(rests.map((rest) => rest.slice(0, 4)));
    expect(heads.size).toBeGreaterThan(50);
    const within = Array.from({ length: 100 }, () => restOf(newId('request', at(3_000))));
    expect(within.toSorted()).not.toEqual(within);
  });

  it('Ids keep sequences for a limited number of times', () => {
    const first = newId('user', at(10_000));
    for (let n = 1; n <= 1_000; n++) newId('user', at(10_000 + n));
    // A new random sequence: a continued one would differ only at the end.
    expect(restOf(newId('user', at(10_000))).slice(0, 8)).not.toBe(restOf(first).slice(0, 8));
  });
});

describe('the kind of an id', () => {
  it.each(Object.keys(ID_PREFIXES) as IdKind[])('The kind %s is found by the prefix of its ids', (kind) => {
    expect(kindOf(newId(kind, at(0)))).toBe(kind);
  });

  it('A text that is no id has no kind', () => {
    const id = newId('user', at(0));
    const others = [
      '',
      '_',
      'usr',
      'usr_',
      id.slice(0, -1),
      `${id}0`,
      ` ${id}`,
      `x${id.slice(3)}`,
      id.slice(4),
    ];
    expect(others.map(kindOf)).toEqual(others.map(() => undefined));
  });
});

it('Random bytes are given once, in pieces of any length, also between ids', () => {
  const windows = new Set<string>();
  let pieces = 0;
  for (let turn = 0; turn < 1_000; turn++) {
    newId('user', at(turn));
    for (const length of [12, 16, 64, 7]) {
      const piece = Buffer.from(nextRandom(length)).toString('hex');
      expect(piece).toHaveLength(2 * length);
      for (let from = 0; from + 14 <= piece.length; from += 2, pieces++)
        windows.add(piece.slice(from, from + 14));
    }
  }
  expect(windows.size).toBe(pieces);
});
