import {
  bool,
  insertOf,
  integer,
  json,
  listOf,
  moment,
  recordOf,
  rowCount,
  small,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { User, type UserStatus } from './user.entity.js';

/** Inserts the user, a list $1 of one record, and its wallets in one round trip. $4: slot of the counter row. Conflicts are rare: their kind is determined afterwards. */
export const INSERT_USER = statement(
  'users.insert',
  {
    values: [json<string>(), text(), listOf(text()), small()],
    row: { users: integer(), wallets: integer() },
  },
  `WITH added AS (
     ${insertOf('users', recordOf(User), '$1')}
     ON CONFLICT (external_id, external_scope) DO NOTHING
     RETURNING id
   ), held AS (
     INSERT INTO wallets (partner_id, address, user_id, position)
     SELECT $2, address, added.id, place - 1 FROM added, unnest($3::text[]) WITH ORDINALITY AS given(address, place)
     ORDER BY address
     ON CONFLICT (partner_id, address) DO NOTHING
     RETURNING address
   ), counted AS (
     INSERT INTO book_users AS b (partner_id, slot, users) SELECT $2, $4, 1 FROM added
     ON CONFLICT (partner_id, slot) DO UPDATE SET users = b.users + 1
   )
   SELECT (SELECT count(*) FROM added)::int AS users, (SELECT count(*) FROM held)::int AS wallets`,
);

/** In the order of addresses, so that concurrent inserts of the same ones cannot deadlock. */
export const ADD_WALLETS = statement(
  'users.add_wallets',
  { values: [text(), text(), listOf(text())], row: { address: text() } },
  `INSERT INTO wallets (partner_id, address, user_id, position)
   SELECT $1, address, $2, place - 1 FROM unnest($3::text[]) WITH ORDINALITY AS given(address, place)
   ORDER BY address
   ON CONFLICT (partner_id, address) DO NOTHING
   RETURNING address`,
);

/** Positions are only removed together with everything of a sandbox account, so none means that there never was one. */
export const HAS_POSITIONS = statement(
  'users.has_positions',
  { values: [text()], row: { hasPositions: bool() } },
  `SELECT EXISTS (SELECT FROM positions WHERE user_id = $1) AS "hasPositions"`,
);

/** $2: slot of the counter row. It may differ from the slot at creation, since only the sum counts. */
export const DELETE_USER = statement(
  'users.delete',
  { values: [text(), small()], row: {} },
  `WITH released AS (
     DELETE FROM wallets WHERE user_id = $1
   ), gone AS (
     DELETE FROM users WHERE id = $1 RETURNING partner_id
   )
   INSERT INTO book_users AS b (partner_id, slot, users) SELECT partner_id, $2, -1 FROM gone
   ON CONFLICT (partner_id, slot) DO UPDATE SET users = b.users - 1`,
);

/** Users of one partner, or of every partner when each has its own scope. */
export const FIND_HOLDERS = statement(
  'users.find_holders',
  {
    values: [text(), rowCount()],
    row: {
      id: text(),
      partnerId: text(),
      partnerName: text(),
      status: text<UserStatus>(),
      createdAt: time(),
      hasPositions: bool(),
    },
  },
  `SELECT u.id, u.partner_id AS "partnerId", p.name AS "partnerName", u.status, u.created_at AS "createdAt",
          EXISTS (SELECT FROM positions WHERE user_id = u.id) AS "hasPositions"
     FROM users u JOIN partners p ON p.id = u.partner_id
    WHERE u.external_id = $1
    ORDER BY u.external_scope LIMIT $2`,
);

/** Renames user $1, and keeps the external id that it had until now. */
export const RELEASE_EXTERNAL_ID = statement(
  'users.release_external_id',
  { values: [text(), text(), time()], row: {} },
  `WITH released AS (INSERT INTO released_external_ids (user_id, external_id) SELECT id, external_id FROM users WHERE id = $1)
   UPDATE users SET external_id = $2, updated_at = $3 WHERE id = $1`,
);

/** External ids that users $1 had at $2, by the clock of the database; before the first one that is kept, they had that. */
export const FIND_EXTERNAL_IDS_AT = statement(
  'users.find_external_ids_at',
  { values: [listOf(text()), moment()], row: { id: text(), externalId: text() } },
  `SELECT u.id, coalesce((SELECT r.external_id FROM released_external_ids r
                           WHERE r.user_id = u.id AND r.released_at > $2 ORDER BY r.released_at LIMIT 1), u.external_id) AS "externalId"
     FROM users u WHERE u.id = ANY($1)`,
);
