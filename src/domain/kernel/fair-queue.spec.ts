import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

describe('a line', () => {
  const lineOf = (...waiting: string[]): FairQueue<string> => {
    const line = new FairQueue<string>();
    for (const one of waiting) line.push(one[0]!, one);
    return line;
  };
  const rest = (line: FairQueue<string>): string[] => {
    const all: string[] = [];
    for (let one = line.next(); one !== undefined; one = line.next()) all.push(one);
    return all;
  };

  it('takes one of each in turn, and those of one in the order in which they came', () => {
    expect(rest(lineOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('puts whoever comes anew behind those that wait, and before what was served since', () => {
    const line = lineOf('a1', 'a2', 'a3', 'b1');
    expect(line.next()).toBe('a1');
    line.push('c', 'c1');
    expect(rest(line)).toEqual(['b1', 'a2', 'c1', 'a3']);
  });

  it('passes over those that are not admitted, and leaves them where they are', () => {
    const line = lineOf('a1', 'b1', 'b2');
    expect(line.next((owner) => owner !== 'a')).toBe('b1');
    expect(line.next((owner) => owner === 'c')).toBeUndefined();
    expect(rest(line)).toEqual(['a1', 'b2']);
  });

  it('takes the next one of an owner, who goes behind the others', () => {
    const line = lineOf('a1', 'a2', 'a3', 'b1');
    expect([line.nextOf('a'), line.nextOf('c')]).toEqual(['a1', undefined]);
    expect([line.lengthOf('a'), line.lengthOf('b'), line.lengthOf('c')]).toEqual([2, 1, 0]);
    expect(rest(line)).toEqual(['b1', 'a2', 'a3']);
  });

  it('lets go of one that waits no longer', () => {
    const line = lineOf('a1', 'a2');
    expect([line.remove('a', 'a1'), line.remove('a', 'a1'), line.remove('b', 'b1')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(rest(line)).toEqual(['a2']);
    expect(line.isEmpty).toBe(true);
  });
});
