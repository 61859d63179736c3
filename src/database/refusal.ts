import { ConfigError } from '../config/config-error.js';
import { isRefusedCertificate } from '../domain/kernel/tls-code.js';

/** PostgreSQL's codes, unlike those of the system (`EPIPE`). */
export const isSqlState = (code: unknown): boolean =>
  typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);

/** Whether waiting cannot help: a wrong password or name, a missing role, a failed migration. Connection errors have their own codes. */
export function isFinal(error: unknown): boolean {
  if (error instanceof ConfigError) return true;
  const { code, message } = error as Error & { code?: unknown };
  if (typeof code !== 'string')
    return !/terminat|timeout|closed|not queryable|already released|establishing an SSL/i.test(
      String(message),
    );
  // 08 connection, 53 resources, 58 files of the server, 57P server starting or stopping, 25006 still read-only, 55 and 40 locks of others.
  return isSqlState(code) && !/^(08|53|58|57P|25006|55|40)/.test(code);
}

/**
 * A connection that is refused for good, by the server or because of its certificate, with the setting and the remedy.
 * @param name the setting of the URL
 * @returns null for an outage, after which waiting may help
 */
export function refusalOf(name: string, error: unknown): ConfigError | null {
  const { code, message, reason = message } = error as Error & { code?: unknown; reason?: string };
  // OpenSSL's message has places of its source as well.
  const why = (/^ERR_SSL/.test(String(code)) ? reason : message).replace(/\.$/, '');
  const remedy = remedyOf(typeof code === 'string' ? code : '', why);
  if (remedy !== null) return new ConfigError([`${name}: ${why}; ${remedy}.`]);
  return isSqlState(code) && isFinal(error) ? new ConfigError([`${name}: ${why}.`]) : null;
}

/** What the operator can do about TLS; null for another error. */
function remedyOf(code: string, message: string): string | null {
  if (/does not support SSL/.test(message))
    return 'sslmode asks for TLS: turn it on at the server (ssl = on), or set sslmode=disable in a private network';
  if (code === '28000' && /no encryption/.test(message))
    return 'if the server requires TLS, set sslmode=verify-full, and sslrootcert for a private CA';
  if (code === '28000' && /client certificate/.test(message))
    return 'set sslcert and sslkey to the certificate of this client and its key';
  // Alerts of the server, which closes the connection.
  if (/^ERR_SSL_\w*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE|PROTOCOL|VERSION)/.test(code))
    return 'the server refuses TLS with this client: correct sslcert and sslkey, or the TLS versions that it allows';
  if (!isRefusedCertificate(code)) return null;
  if (/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/.test(code))
    return "connect by a name in the server's certificate, or set sslmode=verify-ca with sslrootcert, which compares no names";
  if (/EXPIRED|NOT_YET_VALID/.test(code))
    return "renew the server's certificate or that of its CA, or set the clock of this machine";
  return "set sslrootcert to a file with the certificate of the CA that signed the server's";
}
