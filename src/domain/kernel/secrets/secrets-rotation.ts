import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConfigError } from '../../../config/config-error.js';
import { Settings } from '../../../config/settings.js';
import { Replicas } from '../deployment/replicas.js';
import { sealContext } from '../idempotency/idempotency.service.js';
import { Cipher } from '../store/cipher.js';
import { bool, bytes, listOf, orNull, rowCount, text } from '../store/column.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';
import { Canary, CANARY, SecretsCheck } from './secrets-check.js';

/** Up to $2 endpoints after an id, locked, because the rotation of an endpoint's own secret writes both columns too. */
const ENDPOINTS = statement(
  'secrets.endpoints',
  { values: [text(), rowCount()], row: { id: text(), secret: bytes(), previous: orNull(bytes()) } },
  `SELECT id, secret_sealed AS secret, previous_sealed AS previous FROM webhook_endpoints
    WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE`,
);

const RESEAL_ENDPOINTS = statement(
  'secrets.reseal_endpoints',
  { values: [listOf(text()), listOf(bytes()), listOf(orNull(bytes()))], row: {} },
  `UPDATE webhook_endpoints w SET secret_sealed = new.secret, previous_sealed = new.previous
     FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS new(id, secret, previous) WHERE w.id = new.id`,
);

const CLAIM = { scope: text(), route: text(), key: text() };

/** The next $4 claims with an answer after claim ($1, $2, $3), in the order of the primary key. */
const ANSWERS = statement(
  'secrets.answers',
  { values: [text(), text(), text(), rowCount()], row: { ...CLAIM, keyId: text(), sealed: bytes() } },
  `SELECT scope, route, key, key_id AS "keyId", coalesce(answer, packed) AS sealed FROM idempotency_claims
    WHERE (scope, route, key) > ($1, $2, $3) AND coalesce(answer, packed) IS NOT NULL
    ORDER BY scope, route, key LIMIT $4 FOR NO KEY UPDATE`,
);

const RESEAL_ANSWERS = statement(
  'secrets.reseal_answers',
  { values: [listOf(text()), listOf(text()), listOf(text()), listOf(bytes())], row: {} },
  `UPDATE idempotency_claims c
      SET answer = CASE WHEN c.answer IS NOT NULL THEN new.sealed END, packed = CASE WHEN c.packed IS NOT NULL THEN new.sealed END
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS new(scope, route, key, sealed)
    WHERE c.scope = new.scope AND c.route = new.route AND c.key = new.key`,
);

const NEXT_TRANSACTION = statement(
  'secrets.next_transaction',
  { values: [], row: { id: text() } },
  `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS id`,
);

/** Whether every transaction that has written before $1 has ended. */
const ENDED_BEFORE = statement(
  'secrets.ended_before',
  { values: [text()], row: { ended: bool() } },
  `SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 AS ended`,
);

const BATCH = 200;
const POLL_MS = 500;
/** Processes follow the canary with each heartbeat, every 20 seconds. */
const PATIENCE_MS = 90_000;

export interface ResealedCounts {
  endpoints: number;
  answers: number;
}

/**
 * Rotation of the secrets key while processes run. The canary selects the key that processes encrypt with; each process switches at its next heartbeat.
 * Once all have switched and their older transactions have ended, rows under the old key are re-encrypted in batches. Until that is done, the canary is
 * also stored under the old key, so no process can start without that key. To resume an interrupted run, run the command again.
 */
@Injectable()
export class SecretsRotation {
  constructor(
    private readonly store: Store,
    private readonly cipher: Cipher,
    private readonly check: SecretsCheck,
    private readonly replicas: Replicas,
    private readonly settings: Settings,
  ) {}

  /** Makes every process encrypt with the present key. @throws ConfigError when a process does not have it, or no previous key is set */
  async begin(): Promise<void> {
    if (this.settings.secretsKeyPrevious === null)
      throw new ConfigError([
        'SECRETS_KEY_PREVIOUS is missing; set it to the previous key, along with a new SECRETS_KEY, in every process.',
      ]);
    await this.check.run();
    await this.store.transaction(async () => {
      const canaries = this.store.repository(Canary);
      const canary = await canaries.findOne({
        where: { single: true },
        lock: { mode: 'pessimistic_write' },
      });
      const lacking = await this.processesUnless((keys) => keys.includes(this.cipher.presentKey));
      if (lacking !== '')
        throw new ConfigError([
          `${this.settings.secretsKeySource} is unknown to ${lacking}; start every process with it, and with the previous key in SECRETS_KEY_PREVIOUS. Nothing was changed.`,
        ]);
      this.cipher.sealWithPresent();
      if (this.cipher.reseal(canary!.sealed, CANARY) === null) return;
      const [sealed, formerSealed] = [this.cipher.encrypt(CANARY, CANARY), canary!.sealed];
      await canaries.update({ single: true }, { sealed, formerSealed });
    });
  }

  /**
   * Re-encrypts what is under the previous key with the present one.
   * @throws Error while a process or transaction still uses the previous key; another run resumes
   */
  async finish(): Promise<ResealedCounts> {
    const { presentKey } = this.cipher;
    await this.until(
      async () => await this.processesUnless(([sealing]) => sealing === presentKey),
      (names) => `The previous key is still used by ${names}.`,
    );
    const [next] = await this.store.query(NEXT_TRANSACTION, []);
    await this.until(
      async () => ((await this.store.query(ENDED_BEFORE, [next!.id]))[0]!.ended ? '' : next!.id),
      (id) => `A transaction older than ${id} has not ended; see pg_stat_activity.`,
    );
    const endpoints = await this.resealEndpoints();
    const answers = await this.resealAnswers();
    await this.store.repository(Canary).update({ single: true }, { formerSealed: null });
    return { endpoints, answers };
  }

  private resealEndpoints(): Promise<number> {
    return this.resealAll(
      { id: '' },
      ({ id }) => this.store.query(ENDPOINTS, [id, BATCH]),
      ({ id, secret, previous }) => {
        const again = this.cipher.reseal(secret, id);
        const before = previous && this.cipher.reseal(previous, id);
        return again || before ? { id, secret: again ?? secret, previous: before ?? previous } : null;
      },
      (old) =>
        this.store.query(RESEAL_ENDPOINTS, [
          old.map(({ id }) => id),
          old.map(({ secret }) => secret),
          old.map(({ previous }) => previous),
        ]),
    );
  }

  private resealAnswers(): Promise<number> {
    return this.resealAll(
      { scope: '', route: '', key: '' },
      ({ scope, route, key }) => this.store.query(ANSWERS, [scope, route, key, BATCH]),
      (claim) => {
        const sealed = this.cipher.reseal(claim.sealed, sealContext(claim.keyId, claim));
        return sealed && { ...claim, sealed };
      },
      (old) =>
        this.store.query(RESEAL_ANSWERS, [
          old.map(({ scope }) => scope),
          old.map(({ route }) => route),
          old.map(({ key }) => key),
          old.map(({ sealed }) => sealed),
        ]),
    );
  }

  /** Re-encrypts the rows after a place, one transaction per batch. @param again null: the row is under the present key already @returns their number */
  private async resealAll<Place, Row extends Place>(
    after: Place,
    next: (after: Place) => Promise<Row[]>,
    again: (row: Row) => Row | null,
    write: (rows: readonly Row[]) => Promise<unknown>,
  ): Promise<number> {
    let resealed = 0;
    for (let full = true; full;) {
      const { rows, old } = await this.store.transaction(async () => {
        const rows = await next(after);
        const old = rows.map(again).filter((row) => row !== null);
        if (old.length > 0) await write(old);
        return { rows, old };
      });
      resealed += old.length;
      full = rows.length === BATCH;
      after = rows.at(-1) ?? after;
    }
    return resealed;
  }

  /** Names of the processes whose keys are not as expected; empty: there are none. */
  private async processesUnless(isExpected: (keys: readonly string[]) => boolean): Promise<string> {
    const replicas = await this.replicas.list();
    return replicas
      .filter(({ secretsKeys }) => !isExpected(secretsKeys))
      .map(({ name, role, silent }) => `${name} (${role}${silent ? ', silent' : ''})`)
      .join(', ');
  }

  private async until(obstacle: () => Promise<string>, message: (obstacle: string) => string): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (let cause = await obstacle(); cause !== ''; cause = await obstacle()) {
      if (performance.now() > deadline)
        throw new Error(`${message(cause)} The rotation is not finished: run the command again.`);
      await sleep(POLL_MS);
    }
  }
}
