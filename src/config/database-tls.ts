import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { closest } from 'fastest-levenshtein';
import { meantBy, shownText } from './spelling.js';

/** Values of the parameters of TLS in a database URL; null: a path. */
const PARAMETERS: Record<string, readonly string[] | null> = {
  sslmode: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
  sslrootcert: null,
  sslcert: null,
  sslkey: null,
  sslnegotiation: ['postgres', 'direct'],
  ssl: ['true', '1', '0', 'no-verify'],
  uselibpqcompat: ['true', 'false'],
};
const NAMES = Object.keys(PARAMETERS);

/** The certificates of Node.js, in the words of libpq. */
const SYSTEM = 'system';

type Parameters = Partial<Record<string, string>>;

/** Of a parameter that is given twice the driver uses the last. */
const parametersOf = (url: URL): Parameters => Object.fromEntries(url.searchParams);

/**
 * Problems of the parameters of TLS in a database URL: the driver ignores a misspelt one, and connects in plain text.
 * @param name the setting that holds the URL
 */
export function tlsProblems(name: string, url: string): string[] {
  const given = parametersOf(new URL(url));
  const problems = Object.entries(given).flatMap(([parameter, value = '']) => {
    const allowed = PARAMETERS[parameter];
    if (allowed === undefined) {
      const meant = /^(ssl|tls)/i.test(parameter) ? closest(parameter, NAMES) : meantBy(parameter, NAMES);
      return meant === undefined ? [] : [`its parameter ${parameter} is not read; did you mean ${meant}?`];
    }
    return allowed === null || allowed.includes(value)
      ? []
      : [`${parameter} is ${shownText(JSON.stringify(value))}; it must be ${allowed.join(' or ')}.`];
  });
  return [...problems, ...fileProblems(given)].map((problem) => `${name}: ${problem}`);
}

function fileProblems({ sslrootcert, sslcert, sslkey, uselibpqcompat }: Parameters): string[] {
  if ((sslcert === undefined) !== (sslkey === undefined))
    return ['sslcert and sslkey belong together: the certificate of this client, and its private key.'];
  const problems: string[] = [];
  const read = <T>(parameter: string, path: string | undefined, kind: string, parse: (pem: string) => T) => {
    if (path === undefined) return undefined;
    try {
      const pem = readFileSync(path, 'utf8');
      // The driver reads only PEM, so a DER file is reported as one that holds none.
      if (pem.includes('-----BEGIN ')) return parse(pem);
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall !== undefined) {
        problems.push(
          `${parameter} is ${JSON.stringify(path)}, which cannot be read (${code}); it must be ${kind}.`,
        );
        return undefined;
      }
    }
    problems.push(`${parameter} is ${JSON.stringify(path)}, which holds none; it must be ${kind}.`);
    return undefined;
  };
  const certificate = (pem: string): X509Certificate => new X509Certificate(pem);
  if (sslrootcert !== SYSTEM || uselibpqcompat !== undefined)
    read(
      'sslrootcert',
      sslrootcert,
      "a file with the certificate of the server's CA in PEM, or system",
      certificate,
    );
  const client = read('sslcert', sslcert, 'a file with the certificate of this client in PEM', certificate);
  const key = read(
    'sslkey',
    sslkey,
    'a file with its private key in PEM, without a passphrase',
    createPrivateKey,
  );
  if (client && key && !client.checkPrivateKey(key))
    problems.push('sslkey is not the private key of sslcert.');
  return problems;
}

/**
 * The URL for the driver, whose present meaning of `require` and `prefer` is that of `verify-full`, and is going to weaken. `verify-ca` compares no host
 * name, as in libpq, where the CA is one's own.
 */
export function withTls(text: string): string {
  const url = new URL(text);
  const { sslmode, sslrootcert, uselibpqcompat } = parametersOf(url);
  if (uselibpqcompat !== undefined || (sslmode === undefined && sslrootcert !== SYSTEM)) return text;
  const isPrivate = sslrootcert !== undefined && sslrootcert !== SYSTEM;
  if (sslmode === 'verify-ca' && isPrivate) url.searchParams.set('uselibpqcompat', 'true');
  else if (sslmode !== 'disable' && sslmode !== 'no-verify') url.searchParams.set('sslmode', 'verify-full');
  if (sslrootcert === SYSTEM) url.searchParams.delete('sslrootcert');
  return url.href;
}
