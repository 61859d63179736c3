import { describe, expect, it } from '@jest/globals';
import { constantRows, variableRows } from './reference.js';

/** Settings that an operator can be expected to know, beside OpenTelemetry's own. */
const MOST = 100;

describe('the settings reference', () => {
  const variables = variableRows();
  const constants = constantRows('config');

  it('The settings reference has at most 100 settings, the OTEL_ variables excluded', () => {
    const own = variables.filter(([name]) => !name!.startsWith('`OTEL_'));
    expect(own.length + constants.length).toBeLessThanOrEqual(MOST);
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
