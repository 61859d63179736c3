import { isNativeError } from 'node:util/types';
import { isTlsFailure } from '../tls-code.js';

/**
 * SQLSTATEs after which a retry may succeed: connection (08), resources (53: disk, memory, connections), files of the server (58), operator or
 * restart (57P0x), timeouts (57014, 55P03, 25P03, 25P04), object not in the required state (55000), conflicts (40001, 40P01), a read-only server such
 * as a demoted primary (25006), and an account or database that is being changed (28000, 28P01, 3D000). A certificate that is refused can be renewed.
 */
const SQL_STATES =
  /^(08...|53...|58...|57P0.|57014|55000|55P03|25P03|25P04|40001|40P01|25006|28000|28P01|3D000)$/;
const SYSTEM_CODES =
  /^(ECONN[A-Z]+|E(HOST|NET)(DOWN|UNREACH)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
/** Messages of driver errors without a code. */
const MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (was closed|has encountered)|Cannot use a pool|Driver not Connected|Connection ended)/i;
/** TypeORM errors after the connection broke inside a transaction, and a session that the operator has to correct. */
const NAMES = /^(QueryRunner(Provider)?AlreadyReleasedError|TransactionNotStartedError|UnfitSessionError)$/;

/** Outage: the database is unreachable, or cannot do now what it can do later. Not the fault of the request. */
export function isOutage(error: unknown): boolean {
  // `instanceof` fails in tests, where Node's own errors are from another realm.
  if (!isNativeError(error)) return false;
  if (NAMES.test(error.name)) return true;
  const code = codeOf(error);
  if (code !== undefined && (SQL_STATES.test(code) || SYSTEM_CODES.test(code) || isTlsFailure(code)))
    return true;
  if (MESSAGES.test(error.message) || isStale(error) || isWithoutPartition(error)) return true;
  const { driverError } = error as Error & { driverError?: unknown };
  return driverError !== undefined && driverError !== error && isOutage(driverError);
}

/** Serialization failure or deadlock, for which PostgreSQL asks to retry the whole transaction. */
export function isConflict(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error) ?? '');
}

/** Others hold locks that the statement waited for, or conflict with it: it may succeed later. */
export const isContended = (error: unknown): boolean => isConflict(error) || codeOf(error) === '55P03';

export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006';

export const isDiskFull = (error: unknown): boolean => codeOf(error) === '53100';

/** Statement refused before it did anything because of the connection's state: another connection may accept it. */
export function isRefusedHere(error: unknown): boolean {
  return isReadOnly(error) || isStale(error);
}

/** Ledger entry for a month without partition, caused by a wrong clock. Recognised by PostgreSQL's routine, not its localised message. */
export function isWithoutPartition(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: unknown };
  return codeOf(error) === '23514' && routine === 'ExecFindPartition';
}

/** Our own timeout without an answer: a retry would take as long again. */
export function isSilence(error: unknown): boolean {
  return isNativeError(error) && error.message === 'Query read timeout';
}

/** Stale prepared statement: the connection lost it, or a migration changed its table. Recognised by PostgreSQL's routine likewise. */
export function isStale(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: unknown };
  return codeOf(error) === '26000' || routine === 'RevalidateCachedQuery';
}

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
};
