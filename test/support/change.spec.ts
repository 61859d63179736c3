import { expect, it } from '@jest/globals';
import { loadSettings } from '../../src/config/settings.js';
import { change } from './change.js';
import { SECRETS_KEY } from './secrets-key.js';

it('A change of constants needs a name that they have, and lasts until the end of its scope', () => {
  const { routing } = loadSettings({ CONTRACT: 'partner', SECRETS_KEY }).constants;
  const before = { ...routing };
  {
    using _ = change(routing, { minDelta: 0.5, minSizeMultiple: 7 });
    expect(routing).toEqual({ ...before, minDelta: 0.5, minSizeMultiple: 7 });
    // @ts-expect-error This name is gone.
    using _gone = change(routing, { minTvlMultiple: 1 });
    const names = { minDelta: 1, minimalDelta: 1 };
    // @ts-expect-error A name of a variable is checked as well.
    using _unknown = change(routing, names);
  }
  expect(routing).toEqual(before);
});
