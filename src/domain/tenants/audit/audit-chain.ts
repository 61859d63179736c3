import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { stringify } from 'safe-stable-stringify';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock, DAY_MS } from '../../kernel/clock.js';
import { Batches } from '../../kernel/store/batches.js';
import { Store } from '../../kernel/store/store.js';
import * as queries from './audit.queries.js';
import type { AuditEntry, AuditedFields } from './audit.queries.js';

/** Entries that one transaction links, and that one statement reads. */
const PAGE = 1_000;

/** Fields of an entry as the API shows them, by which its hash can be recomputed. */
export const auditFields = (entry: AuditEntry) => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: {
    kind: entry.kind,
    key_id: entry.keyId,
    session_id: entry.sessionId,
    label: entry.label,
    user: entry.user,
    partner_id: entry.partnerId,
  },
  address: entry.address,
  operation: entry.operation,
  subjects: entry.subjects,
  before: entry.before && formatTimes(entry.before),
  after: entry.after && formatTimes(entry.after),
  request_id: entry.requestId,
});

/** Time as PostgreSQL writes it in JSON. */
const STORED_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

const formatTimes = (changed: AuditedFields): AuditedFields =>
  mapped(changed, (fields) =>
    mapped(fields, (value) =>
      typeof value === 'string' && STORED_TIME.test(value) ? new Date(value).toISOString() : value,
    ),
  );

const mapped = <T>(record: Record<string, T>, of: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]));

/** SHA-256 over the previous hash in hex and the entry's JSON, with sorted names and without spaces. */
const hashOf = (previous: Buffer, entry: AuditEntry): Buffer =>
  createHash('sha256')
    .update(previous.toString('hex') + stringify(auditFields(entry)))
    .digest();

export interface AuditedChain {
  /** Linked entries that are kept. */
  auditEntries: number;
  /** Number and hash of the newest link: kept outside, it proves later that the chain was not rewritten. */
  auditHead: string;
}

/** Chain of hashes over the audit log. Entries are linked after their commit, in one order, so that no change waits for another one. */
@Injectable()
export class AuditChain {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
  ) {}

  /** Links the entries that were committed since. Called every second, by any number of processes. */
  async extend(): Promise<void> {
    while ((await this.linkPage()) === PAGE);
  }

  private linkPage(): Promise<number> {
    return this.store.transaction(async () => {
      if ((await this.store.query(queries.FIND_QUEUED, [1])).length === 0) return 0;
      const [ends] = await this.store.query(queries.LOCK_ENDS, []);
      const queued = await this.store.query(queries.FIND_QUEUED, [PAGE]);
      if (queued.length === 0) return 0;
      const hashes: Buffer[] = [];
      for (const entry of queued) hashes.push(hashOf(hashes.at(-1) ?? ends!.lastHash, entry));
      const number = String(BigInt(ends!.last) + 1n);
      await this.store.query(queries.LINK, [queued.map(({ id }) => id), hashes, number]);
      return queued.length;
    });
  }

  /** Recomputes the chain, in a snapshot. @param differs called for each entry that was changed, removed or inserted beside it */
  async verify(differs: (subject: string, problem: string) => void): Promise<AuditedChain> {
    const [ends] = await this.store.query(queries.FIND_ENDS, []);
    if (!ends) throw new Error('The audit chain has no ends: table audit_chain has no row.');
    const { first, firstHash, last, lastHash } = ends;
    if (first !== '0' && this.retentionDays === 0)
      differs(`audit log up to ${first}`, 'was removed, and no retention is set');
    let [number, hash] = [BigInt(first), firstHash];
    for (let read = PAGE; read === PAGE;) {
      const links = await this.store.query(queries.FIND_LINKS, [String(number), PAGE]);
      read = links.length;
      for (const link of links) {
        if (BigInt(link.number) !== ++number) {
          differs(`audit log ${number}`, `is not there; the next one is ${link.number}`);
          number = BigInt(link.number);
        } else if (link.id === null) differs(link.entryId, 'is not in the audit log any more');
        else if (!hashOf(hash, link).equals(link.hash))
          differs(
            link.entryId,
            'is not what was recorded, or does not follow the entry that it was recorded after',
          );
        hash = link.hash;
      }
    }
    if (String(number) !== last || !hash.equals(lastHash))
      differs(
        `audit log ${last}`,
        `is recorded as the end of the chain, but its links end ${String(number) === last ? 'with another hash' : `at ${number}`}`,
      );
    for (let after: string | undefined = ''; after !== undefined;) {
      const loose: { id: string }[] = await this.store.query(queries.FIND_LOOSE, [after, PAGE]);
      for (const { id } of loose) differs(id, 'is in the audit log, but not in its chain');
      after = loose.length < PAGE ? undefined : loose.at(-1)!.id;
    }
    return {
      auditEntries: Number(number - BigInt(first)),
      auditHead: `${number} ${hash.toString('hex')}`,
    };
  }

  async prune(): Promise<number> {
    if (this.retentionDays === 0) return 0;
    const before = new Date(this.clock.wall().getTime() - this.retentionDays * DAY_MS);
    return new Batches().run(
      async (rows) => (await this.store.query(queries.FORGET, [before, rows]))[0]!.removed,
    );
  }

  private get retentionDays(): number {
    return this.settings.constants.retention.auditDays;
  }
}
