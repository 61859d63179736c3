import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { emptyFolder } from '../../test/support/configuration.js';
import { readVariables } from './read-environment.js';

const DATA = 'test/support/data/self-signed';
const [CERTIFICATE, KEY] = [`${DATA}-cert.pem`, `${DATA}-key.pem`];
const URL = 'postgres://u:hunter2@db:5432/vaultline';
const FILE = "it must be a file with the certificate of the server's CA in PEM, or system.";
const CLIENT = 'it must be a file with its private key in PEM, without a passphrase.';

const read = (parameters: string) => readVariables({ DATABASE_URL: `${URL}?${parameters}` });

describe('the TLS of a database URL', () => {
  const folder = emptyFolder();
  const path = (name: string): string => join(folder, name);
  beforeAll(() => {
    writeFileSync(path('text'), 'hunter2');
    writeFileSync(path('broken'), '-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----\n');
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
    openssl('pkey', '-in', KEY, '-aes128', '-passout', 'pass:hunter2', '-out', path('locked'));
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', path('other'));
  });

  it.each<[string, string]>([
    [
      'sslmode=verify_full',
      'sslmode is "verify_full"; it must be disable or prefer or require or verify-ca or verify-full or no-verify.',
    ],
    [
      'sslmode=allow',
      'sslmode is "allow"; it must be disable or prefer or require or verify-ca or verify-full or no-verify.',
    ],
    ['ssl=false', 'ssl is "false"; it must be true or 1 or 0 or no-verify.'],
    // The driver ignores these, and would connect in plain text.
    ['sslmod=require', 'its parameter sslmod is not read; did you mean sslmode?'],
    ['sslMode=require', 'its parameter sslMode is not read; did you mean sslmode?'],
    ['tlsmode=require', 'its parameter tlsmode is not read; did you mean sslmode?'],
    ['ssl_root_cert=/ca.pem', 'its parameter ssl_root_cert is not read; did you mean sslrootcert?'],
    [
      'sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      `sslrootcert is "/nowhere/ca.pem", which cannot be read (ENOENT); ${FILE}`,
    ],
    ['sslrootcert=@', `sslrootcert is "@", which cannot be read (EISDIR); ${FILE}`],
    ['sslrootcert=@/text', `sslrootcert is "@/text", which holds none; ${FILE}`],
    ['sslrootcert=@/broken', `sslrootcert is "@/broken", which holds none; ${FILE}`],
    [
      `sslcert=${CERTIFICATE}`,
      'sslcert and sslkey belong together: the certificate of this client, and its private key.',
    ],
    [
      `sslcert=${CERTIFICATE}&sslkey=${CERTIFICATE}`,
      `sslkey is "${CERTIFICATE}", which holds none; ${CLIENT}`,
    ],
    [`sslcert=${CERTIFICATE}&sslkey=@/locked`, `sslkey is "@/locked", which holds none; ${CLIENT}`],
    [`sslcert=${CERTIFICATE}&sslkey=@/other`, 'sslkey is not the private key of sslcert.'],
  ])('The TLS of a database URL stops the start with %s', (parameters, told) =>
    expect(read(parameters.replaceAll('@', folder)).problems).toEqual([
      `DATABASE_URL: ${told.replaceAll('@', folder)}`,
    ]),
  );

  it('The TLS of a database URL is checked in each URL, also in one of a file', () => {
    writeFileSync(path('url'), `${URL}?sslmod=require`);
    const names = ['DATABASE_URL_FILE', 'DATABASE_MIGRATION_URL_FILE', 'DATABASE_DIRECT_URL_FILE'];
    const { problems } = readVariables(Object.fromEntries(names.map((name) => [name, path('url')])));
    expect(problems).toEqual(
      names.map((name) => `${name}: its parameter sslmod is not read; did you mean sslmode?`),
    );
  });

  it.each([
    ['', ''],
    ['application_name=a&channel_binding=require&target_session_attrs=any', ''],
    ['sslmode=disable', ''],
    ['sslmode=no-verify', ''],
    ['sslmode=verify-full', ''],
    ['sslmode=require', 'sslmode=verify-full'],
    ['sslmode=prefer', 'sslmode=verify-full'],
    // Any public CA certifies any host, so that the name has to be compared.
    ['sslmode=verify-ca', 'sslmode=verify-full'],
    ['sslrootcert=system', 'sslmode=verify-full'],
    ['sslmode=verify-full&sslrootcert=system', 'sslmode=verify-full'],
    [`sslmode=require&sslrootcert=${CERTIFICATE}`, `sslmode=verify-full&sslrootcert=${CERTIFICATE}`],
    [
      `sslmode=verify-ca&sslrootcert=${CERTIFICATE}`,
      `sslmode=verify-ca&sslrootcert=${CERTIFICATE}&uselibpqcompat=true`,
    ],
    ['sslmode=require&uselibpqcompat=true', ''],
    [`sslcert=${CERTIFICATE}&sslkey=${KEY}`, ''],
  ])('The TLS of a database URL with %j reaches the driver in its own words', (parameters, driver) => {
    const { problems, values } = read(parameters);
    expect(problems).toEqual([]);
    expect(decodeURIComponent(values.databaseUrl!)).toBe(`${URL}?${driver || parameters}`);
  });
});
