import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { ConfigError } from '../config/config-error.js';

/** PostgreSQL's codes of a prepared statement whose name is taken, or is not known. */
const WRONG_NAME = /^(42P05|26000)$/;

/**
 * Two sessions prepare a statement of the same name, and use it again. A pooler that passes names on gives both the same connection, where the name is
 * taken, or the second use another connection, where it is not known.
 * @throws ConfigError when the pooler does not support named statements
 */
export async function checkNamedStatements(source: DataSource): Promise<void> {
  const runners = [source.createQueryRunner(), source.createQueryRunner()];
  try {
    const sessions = await Promise.all(runners.map((runner) => runner.connect() as Promise<PoolClient>));
    for (const session of [...sessions, ...sessions])
      await session.query({ name: 'names_are_kept', text: 'SELECT 1' });
  } catch (error) {
    if (!WRONG_NAME.test((error as { code?: string }).code ?? '')) throw error;
    throw new ConfigError([
      'DATABASE_POOLING is "transaction_named", but the pooler of DATABASE_URL does not support named statements. PgBouncer 1.21 and later does with max_prepared_statements above 0; with another pooler set DATABASE_POOLING=transaction.',
    ]);
  } finally {
    await Promise.all(runners.map((runner) => runner.release()));
  }
}
