import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Journal } from '../../executor/src/journal.js';
import { ConfigError } from '../../executor/src/problem.js';
import { readSettings } from '../../executor/src/settings.js';
import { emptyFolder } from '../support/configuration.js';

const KEY = `0x${'ab'.repeat(32)}`;
const USUAL = {
  VAULTLINE_URL: 'https://yield.example.com',
  VAULTLINE_API_KEY: 'vl_live_1',
  PARTNER_API_KEYS: 'vl_live_2, vl_live_3',
  ALLOWLIST: 'allowlist.yaml',
  INSECURE_RAW_KEY_FOR_TESTS: KEY,
  RPC_URL_ETHEREUM: 'https://a.example.com/SECRET,https://b.example.com',
};
const problemsOf = (changes: Record<string, string | undefined>): readonly string[] => {
  try {
    readSettings({ ...USUAL, ...changes });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe("the executor's settings", () => {
  it("The executor's settings have defaults, lists, and secrets from files", () => {
    const file = join(emptyFolder(), 'key');
    writeFileSync(file, 'vl_live_9\n');
    expect(
      readSettings({ ...USUAL, VAULTLINE_API_KEY: '', VAULTLINE_API_KEY_FILE: file, HOME: '/root' }),
    ).toMatchObject({
      VAULTLINE_API_KEY: 'vl_live_9',
      PARTNER_API_KEYS: ['vl_live_2', 'vl_live_3'],
      RPC_URL_ETHEREUM: ['https://a.example.com/SECRET', 'https://b.example.com'],
      POLL_MS: 5000,
      SIGNER_METHOD: 'eth_signTransaction',
    });
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    [
      'a misspelt name',
      { RPC_URL_ETHERUM: 'x' },
      'RPC_URL_ETHERUM is no setting: did you mean RPC_URL_ETHEREUM?',
    ],
    ['an unknown chain', { RPC_URL_SOLANA: 'x' }, 'RPC_URL_SOLANA is no setting: did you mean'],
    [
      'a truncated name',
      { STUCK: '5', GIVE_UP: '1' },
      'GIVE_UP is no setting: did you mean GIVE_UP_SECONDS?',
    ],
    [
      'one provider twice',
      { RPC_URL_ETHEREUM: 'https://a.example.com/SECRET,https://a.example.com/SECRET' },
      'RPC_URL_ETHEREUM is set: it must be different URLs',
    ],
    ['a missing one', { VAULTLINE_URL: undefined }, 'VAULTLINE_URL is required.'],
    [
      'a value that is not allowed',
      { POLL_MS: 'soon' },
      'POLL_MS is "soon": it must be a whole number from 50 to 600000.',
    ],
    [
      'a secret that is not allowed',
      { INSECURE_RAW_KEY_FOR_TESTS: '0xabc' },
      'INSECURE_RAW_KEY_FOR_TESTS is set: it must be 0x and 64',
    ],
    [
      'two signers',
      { SIGNER_URL: 'http://127.0.0.1:1' },
      'SIGNER_URL and INSECURE_RAW_KEY_FOR_TESTS is set: set one of',
    ],
    ['no signer', { INSECURE_RAW_KEY_FOR_TESTS: '' }, 'No signer is set: set one of KEYSTORE'],
    [
      'a keystore without password',
      { INSECURE_RAW_KEY_FOR_TESTS: '', KEYSTORE: 'key.json' },
      'KEYSTORE_PASSWORD is required',
    ],
    [
      'a secret given twice',
      { VAULTLINE_API_KEY_FILE: '/nowhere' },
      'VAULTLINE_API_KEY and VAULTLINE_API_KEY_FILE are both set',
    ],
  ])("The executor's settings are refused with %s", (_, changes, problem) => {
    const problems = problemsOf(changes);
    expect(problems.join('\n')).toContain(problem);
    expect(problems.join('\n')).not.toMatch(/SECRET|abc|vl_live/);
  });
});

describe("the executor's journal", () => {
  const path = (): string => join(emptyFolder(), 'executor.db');
  const opened = (file: string): string => {
    const journal = Journal.open(file, Journal.isNew(file));
    Journal.lead(file).close();
    journal.close();
    return journal.id;
  };

  it("The executor's journal is made once, and is the same afterwards", () => {
    const file = path();
    const id = opened(file);
    expect([Journal.isNew(file), opened(file)]).toEqual([false, id]);
  });

  it.each<[string, (file: string) => void]>([
    ['is gone', (file) => rmSync(file)],
    ['was emptied', (file) => writeFileSync(file, '')],
    ['is cut off', (file) => truncateSync(file, 5_000)],
    ['is another file', (file) => writeFileSync(file, 'no database at all, but some text')],
  ])("The executor's journal that %s is not replaced by a new one", (_, spoil) => {
    const file = path();
    opened(file);
    spoil(file);
    const open = (): unknown => Journal.open(file, Journal.isNew(file));
    expect(open).toThrow(ConfigError);
    expect(open).toThrow(`JOURNAL is ${file}, which is no journal: `);
  });
});
