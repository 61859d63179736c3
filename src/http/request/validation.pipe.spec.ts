import { describe, expect, it } from '@jest/globals';
import type { HttpError } from '../answer/http-error.js';
import { TextsField } from './fields.js';
import { validationPipe } from './validation.pipe.js';

/** Pattern that counts the texts that it was compared with. */
class Counted extends RegExp {
  compared = 0;
  override [Symbol.match](text: string): RegExpMatchArray | null {
    this.compared++;
    return super[Symbol.match](text);
  }
}
const pattern = new Counted('^x$');

class Input {
  @TextsField({ description: '', max: 3, pattern, patternMessage: 'must each be x' }) texts: string[];
}

async function refusal(body: object): Promise<HttpError> {
  try {
    await validationPipe().transform(body, { type: 'body', metatype: Input });
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
    expect(elements.extra.details).toEqual([{ field: 'texts', message: 'must each be x' }]);
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
