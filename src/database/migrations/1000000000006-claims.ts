import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Claims of an `Idempotency-Key` belong to a partner, whichever of its keys sent them, so that replacing a key loses none; for a key without partner,
 * to that key. `key_id` stays: the key that made the claim, for which its answer is sealed.
 */
export class Claims1000000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCOPE);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * When two keys of one partner made the same claim, the newer one stays: no retry of either causes a second effect. Replicas of the older version
 * write no scope and use the primary key; they find no compressed answer, and report that it is in progress.
 */
const SCOPE = `
ALTER TABLE idempotency_claims ADD COLUMN scope text COLLATE "C", ADD COLUMN packed bytea;
UPDATE idempotency_claims c SET scope = coalesce(k.partner_id, k.id) FROM api_keys k WHERE k.id = c.key_id;
DELETE FROM idempotency_claims c USING idempotency_claims newer
 WHERE newer.scope = c.scope AND newer.route = c.route AND newer.key = c.key
   AND (newer.claimed_at, newer.key_id) > (c.claimed_at, c.key_id);
ALTER TABLE idempotency_claims ALTER COLUMN scope SET NOT NULL, ADD CHECK (answer IS NULL OR packed IS NULL);
CREATE UNIQUE INDEX idempotency_claims_by_scope ON idempotency_claims (scope, route, key);

CREATE FUNCTION scope_of_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.scope := coalesce(NEW.scope, (SELECT coalesce(partner_id, id) FROM api_keys WHERE id = NEW.key_id));
  RETURN NEW;
END $$;
CREATE TRIGGER claims_have_a_scope BEFORE INSERT ON idempotency_claims FOR EACH ROW EXECUTE FUNCTION scope_of_claim();
`;
