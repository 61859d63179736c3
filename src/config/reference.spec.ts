import { describe, expect, it } from '@jest/globals';
import { READABLE_CHAINS } from './chains.js';
import { constantRows, variableRows } from './reference.js';

/** Settings that an operator can be expected to know, beside OpenTelemetry's own. */
const MOST = 100;

describe('the settings reference', () => {
  const variables = variableRows();
  const constants = constantRows('config');

  it('The settings reference has at most 100 settings, the OTEL_ variables excluded, and one of each chain counted once', () => {
    const ofChains = new RegExp(`_(${READABLE_CHAINS.join('|')})`, 'i');
    const own = variables
      .map(([name]) => name!.replace(ofChains, ''))
      .filter((name) => !name.startsWith('`OTEL_'));
    expect(own).toContain('`RPC_URL`');
    expect(new Set(own).size + constants.length).toBeLessThanOrEqual(MOST);
  });

  it('The settings reference describes the allowed values and the meaning of each setting', () => {
    const cells = [...variables.flat(), ...constants.flatMap((row) => Object.values(row))];
    expect(cells.filter((cell) => cell.trim() === '')).toEqual([]);
  });

  it('The settings reference names the _FILE variable of a secret, and both values of a constant that differs between contracts', () => {
    expect(variables.find(([name]) => name === '`SECRETS_KEY`')!.at(-1)).toContain('`SECRETS_KEY_FILE`');
    expect(constants.find(({ key }) => key === 'webhooks.deliveries_kept')!.value).toBe(
      '500; 10000 (sandbox)',
    );
  });
});
