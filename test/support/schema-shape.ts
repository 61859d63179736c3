import { onDatabase } from '../faults/load/audit.js';

/**
 * Every column, constraint, index, function and trigger of the live deployment's two schemas, and the migrations that were recorded. NOT
 * NULL is a column's: its constraints are named by the server's version.
 */
const SHAPE = `
WITH own AS (SELECT oid, nspname FROM pg_namespace WHERE nspname IN ('live', 'live_jobs'))
SELECT format('%s.%s.%s %s %s %s', nspname, relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) AS part
  FROM own JOIN pg_class c ON relnamespace = own.oid AND relkind IN ('r', 'p') JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
       LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum
UNION ALL SELECT format('%s %s %s', nspname, conname, pg_get_constraintdef(k.oid)) FROM own JOIN pg_constraint k ON connamespace = own.oid AND contype <> 'n'
UNION ALL SELECT indexdef FROM pg_indexes JOIN own ON nspname = schemaname
UNION ALL SELECT pg_get_functiondef(p.oid) FROM own JOIN pg_proc p ON pronamespace = own.oid
UNION ALL SELECT pg_get_triggerdef(t.oid) FROM own JOIN pg_class c ON relnamespace = own.oid JOIN pg_trigger t ON tgrelid = c.oid AND NOT tgisinternal
UNION ALL SELECT 'migration ' || name FROM live.migrations
ORDER BY 1`;

/** What a database's schemas are made of, in one order. */
export const shapeOf = (url: string): Promise<string[]> =>
  onDatabase(url, async (database) => (await database.sql<{ part: string }>(SHAPE)).map(({ part }) => part));
