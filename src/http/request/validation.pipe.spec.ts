import { describe, expect, it } from '@jest/globals';
import type { HttpError } from '../answer/http-error.js';
import { ObjectsField, TextsField } from './fields.js';
import { validationPipe } from './validation.pipe.js';

/** Pattern that counts the texts that it was compared with. */
class Counted extends RegExp {
  compared = 0;
  override test(text: string): boolean {
    this.compared++;
    return super.test(text);
  }
}
const pattern = new Counted('^x$');

class Input {
  @TextsField({ description: '', max: 3, pattern, patternMessage: 'must be x' }) texts: string[];
}

class Listed {
  @ObjectsField({ description: '', of: () => Input, max: 2 }) inputs: Input[];
}

async function refusal(body: object, metatype: new () => object = Input): Promise<HttpError> {
  try {
    await validationPipe().transform(body, { type: 'body', metatype });
  } catch (error) {
    return error as HttpError;
  }
  throw new Error('The body was accepted.');
}

describe('an invalid request', () => {
  it('An invalid request is refused for the length of a list before its elements are checked', async () => {
    const { extra } = await refusal({ texts: ['x', 'x', 'x', 'y'] });
    expect(extra.details).toEqual([{ field: 'texts', message: 'must contain no more than 3 elements' }]);
    expect(pattern.compared).toBe(0);
    const elements = await refusal({ texts: ['x', 'y'] });
    expect(elements.extra.details).toEqual([{ field: 'texts[1]', message: 'must be x' }]);
  });

  it('An invalid request names the field of an object by its place in the list', async () => {
    const { extra } = await refusal({ inputs: [{ texts: ['x'] }, { texts: ['y'], more: 1 }] }, Listed);
    expect(extra.details).toEqual([
      { field: 'inputs[1].more', message: 'is not a known field' },
      { field: 'inputs[1].texts[0]', message: 'must be x' },
    ]);
    for (const inputs of [[null], [[]], ['x']])
      expect((await refusal({ inputs }, Listed)).extra.details).toEqual([
        { field: 'inputs[0]', message: 'must be an object' },
      ]);
    expect((await refusal({ inputs: {} }, Listed)).extra.details).toEqual([
      { field: 'inputs', message: 'must be an array' },
    ]);
  });

  it('An invalid request has its first 20 errors listed, and a message that mentions further ones', async () => {
    const unknown = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, field) => [`zz${field}`, 1]));
    const found = async (count: number): Promise<[number, string]> => {
      const { extra, message } = await refusal({ texts: [], ...unknown(count) });
      return [extra.details!.length, message];
    };
    expect(await found(20)).toEqual([20, 'The request is not valid; see details.']);
    expect(await found(21)).toEqual([
      20,
      'The request is not valid; see details, which list the first 20 errors of more.',
    ]);
  });
});
