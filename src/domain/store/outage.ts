import { isNativeError } from 'node:util/types';

/**
 * What PostgreSQL says when the next try may work: the connection (08), its resources (53: disk, memory, connections), its own files (58), an
 * operator or a restart (57P0x), a bound on waiting (57014, 55P03, 25P03, 25P04), a state that it is in for now (55000), another transaction
 * (40001, 40P01), a server that only reads, as one does that another took over from (25006), and an account or a database that is being changed
 * (28000, 28P01, 3D000).
 */
const SQL_STATES =
  /^(08...|53...|58...|57P0.|57014|55000|55P03|25P03|25P04|40001|40P01|25006|28000|28P01|3D000)$/;
const SYSTEM_CODES =
  /^(ECONN[A-Z]+|E(HOST|NET)(DOWN|UNREACH)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
/** Of drivers that give no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered)|Cannot use a pool|Driver not Connected|Connection ended)/i;
/** TypeORM's, when the connection broke inside a transaction. */
const NAMES = /^(QueryRunner(Provider)?AlreadyReleasedError|TransactionNotStartedError)$/;

/** A failure that is not the request's: the database is away, or cannot do now what it can do another time. */
export function isOutage(error: unknown): boolean {
  // Not `instanceof`: Node's own errors are of another realm where a test runs us.
  if (!isNativeError(error)) return false;
  if (NAMES.test(error.name)) return true;
  const code = codeOf(error);
  if (code !== undefined && (SQL_STATES.test(code) || SYSTEM_CODES.test(code))) return true;
  if (MESSAGES.test(error.message) || isStale(error) || isWithoutPartition(error)) return true;
  const { driverError } = error as Error & { driverError?: unknown };
  return driverError !== undefined && driverError !== error && isOutage(driverError);
}

/** PostgreSQL asks for the whole transaction again: a serialization failure, a deadlock. */
export function isConflict(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error) ?? '');
}

/** Refused before it did anything, for what the connection is: on another one it may be taken. */
export function isRefusedHere(error: unknown): boolean {
  return codeOf(error) === '25006' || isStale(error);
}

/** An entry of a month that no partition takes: of a clock that is wrong, here or at the database. By where PostgreSQL says so. */
export function isWithoutPartition(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: unknown };
  return codeOf(error) === '23514' && routine === 'ExecFindPartition';
}

/** Given up by us, since no answer came in time: asked again, it would take as long again. */
export function isSilence(error: unknown): boolean {
  return codeOf(error) === 'ECONNABORTED';
}

/** A prepared statement that the connection lost, or whose table another version changed: by where PostgreSQL says so, as its words are in its language. */
function isStale(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: unknown };
  return codeOf(error) === '26000' || routine === 'RevalidateCachedQuery';
}

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
};
