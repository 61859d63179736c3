import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Clock } from '../../kernel/clock.js';
import { checkPeriod, notFound } from '../../kernel/domain-error.js';
import { kindOf, newId } from '../../kernel/identifier.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import { ApiKey } from '../access/api-key.entity.js';
import * as queries from './audit.queries.js';
import type { ActorKind, AuditedFields, ListedAuditEntry } from './audit.queries.js';

export interface Actor {
  kind: ActorKind;
  /** The key; of a session, the key that it was made with. */
  keyId?: string;
  sessionId?: string | null;
  label?: string;
  /** Of the operating system, for a command. */
  user?: string;
  partnerId?: string | null;
}

export interface Act {
  actor: Actor;
  /** Address of the caller; null: a command, or the deployment itself. */
  address: string | null;
  /** `operationId` of the API, or words of a command. */
  operation: string;
  requestId: string | null;
  /** Ids of records that are known before the change. */
  subjects: readonly string[];
  /** Of which partner the change concerns the policy, or the simulated account. */
  policyOf?: string;
  accountOf?: string;
  /** What was asked for, without secrets: recorded where no stored record shows what changed. */
  input?: object;
  /** It only sets stored fields: when they are set already, there is no entry. */
  setsFields?: boolean;
}

export interface AuditFilter {
  from?: Date;
  to?: Date;
  partnerId?: string;
  keyId?: string;
  operation?: string;
  subject?: string;
}

const MAX_SUBJECTS = 20;

/** Audit log: each change of a key, a session or a command is one entry, in the transaction of the change. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Runs a change and records it, unless nothing changes, in one transaction. Ids in the result of the work become subjects. */
  record<T>(act: Act, work: () => Promise<T>): Promise<T> {
    return this.store.transaction(async () => {
      const before = await this.look(act, act.subjects, true);
      const result = await work();
      const subjectIds = [...act.subjects, ...resultIds(result)];
      const isStored = act.setsFields || act.policyOf !== undefined || act.accountOf !== undefined;
      if (before === null && !isStored) {
        const subjects = subjectsOf(subjectIds, idsIn(result));
        await this.insert(act, subjects, requestedFields(act, subjects), stored(subjectIds));
        return result;
      }
      const after = await this.look(act, subjectIds, false);
      const compared = differences(before ?? {}, after ?? {});
      if (act.setsFields && compared.before === null && compared.after === null) return result;
      const changed = before || after ? compared : requestedFields(act, subjectIds);
      await this.insert(
        act,
        subjectsOf(subjectIds, Object.keys(changed.after ?? {}), idsIn(result)),
        changed,
      );
      return result;
    });
  }

  /** Newest first. @throws DomainError `not_found` for a key that is unknown, or another partner's; `validation_failed` (from) */
  async list(filter: AuditFilter, { limit, after }: PageRequest): Promise<Page<ListedAuditEntry>> {
    const { from, to, partnerId, keyId, operation, subject } = filter;
    checkPeriod(from, to);
    if (keyId !== undefined) {
      const key = { id: keyId, ...(partnerId !== undefined && { partnerId }) };
      if (!(await this.store.repository(ApiKey).existsBy(key))) throw notFound('API key');
    }
    const rows = await this.store.query(queries.LIST, [
      ...([after?.at ?? 'infinity', after?.id ?? '', limit + 1] as const),
      ...([from ?? '-infinity', to ?? 'infinity'] as const),
      ...([partnerId ?? null, keyId ?? null, operation ?? null, subject ?? null] as const),
    ]);
    const shown = partnerId === undefined ? rows : rows.map((entry) => shownTo(partnerId, entry));
    return toPage(shown, limit, ({ at, id }) => ({ at, id }));
  }

  /** Stored fields of records by id; null where the change concerns none that are stored by id, such as a transfer. */
  private async look(act: Act, ids: readonly string[], locks: boolean): Promise<AuditedFields | null> {
    const { policyOf, accountOf } = act;
    const { records, vaults } = stored(ids);
    const special = policyOf ?? accountOf;
    if (special === undefined && records.length + vaults.length === 0) return null;
    // An account has locks of its own, which refuse and do not wait.
    if (locks && accountOf === undefined)
      await this.store.query(queries.LOCK_SUBJECTS, [[...records, ...vaults]]);
    const rows = await this.store.query(queries.LOOK, [
      special === undefined ? records : [],
      policyOf ?? null,
      accountOf ?? null,
      vaults,
    ]);
    return rows.length === 0 ? null : Object.fromEntries(rows.map(({ id, fields }) => [id, fields]));
  }

  private async insert(
    { actor, address, operation, requestId }: Act,
    subjects: string[],
    { before, after }: Differences,
    created: AuditRow = { records: [], vaults: [] },
  ): Promise<void> {
    const at = this.clock.wall();
    const changed = { operation, subjects, before, after };
    const entry = { id: newId('audit', at), at, ...actor, address, ...changed, requestId };
    const row = JSON.stringify([entry]);
    const { records, vaults } = created;
    const kinds = new Set(records.map(kindOf));
    const [kind] = kinds;
    if (kinds.size + vaults.length === 0) return this.store.pipeline(queries.INSERT, [row]);
    if (kinds.size === 1 && vaults.length === 0 && queries.isCompared(kind))
      return this.store.pipeline(queries.INSERT_WITH.get(kind)!, [row, records]);
    return this.store.pipeline(queries.INSERT_WITH_ALL, [row, records, vaults]);
  }
}

interface AuditRow {
  records: string[];
  vaults: string[];
}

const stored = (ids: readonly string[]): AuditRow => ({
  records: ids.filter((id) => queries.isCompared(kindOf(id))),
  vaults: ids.filter((id) => id.startsWith('vlt_')),
});

interface Differences {
  before: AuditedFields | null;
  after: AuditedFields | null;
}

/** Fields that differ, by record; null for a record that is not there. */
function differences(before: AuditedFields, after: AuditedFields): Differences {
  const sides: [AuditedFields, AuditedFields] = [{}, {}];
  for (const id of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const pair = [before[id], after[id]] as const;
    const names = [...new Set(pair.flatMap((fields) => Object.keys(fields ?? {})))].filter(
      (name) => !isDeepStrictEqual(pair[0]?.[name], pair[1]?.[name]),
    );
    pair.forEach((fields, side) => {
      if (fields && names.length > 0)
        sides[side]![id] = Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
    });
  }
  const [had, has] = sides.map((side) => (Object.keys(side).length > 0 ? side : null));
  return { before: had!, after: has! };
}

/** An entry as a partner sees it: of an administrator's change only what is its business, and not who made it. */
function shownTo(partnerId: string, entry: ListedAuditEntry): ListedAuditEntry {
  if (entry.partnerId === partnerId) return entry;
  const unknown = { keyId: null, sessionId: null, label: null, user: null, address: null, hash: null };
  return { ...entry, ...unknown, before: partnerFields(entry.before), after: partnerFields(entry.after) };
}

const partnerFields = (changed: AuditedFields | null): AuditedFields | null =>
  changed &&
  Object.fromEntries(
    Object.entries(changed).map(([id, fields]) => [
      id,
      Object.fromEntries(Object.entries(fields).filter(([name]) => queries.SHOWN_TO_PARTNER.includes(name))),
    ]),
  );

/** Requested fields, under the record that they concern. */
function requestedFields({ input, operation }: Act, subjects: readonly string[]): Differences {
  if (!input || Object.keys(input).length === 0) return { before: null, after: null };
  return { before: null, after: { [subjects[0] ?? operation]: { ...input } } };
}

const subjectsOf = (...ids: string[][]): string[] => [...new Set(ids.flat())].slice(0, MAX_SUBJECTS);

/** Id of the record that a result is, or ids of those that it consists of or lists. */
function resultIds(result: unknown): string[] {
  if (typeof result !== 'object' || result === null) return idsIn(result);
  const parts = [result, ...(Object.values(result) as unknown[]).flat()];
  return parts.flatMap((part) => idsIn((part as { id?: unknown } | null | undefined)?.id));
}

/** Ids in a result: an id by itself, or the fields of an answer. */
function idsIn(result: unknown): string[] {
  const values: unknown[] = typeof result === 'object' && result !== null ? Object.values(result) : [result];
  return values.filter((value): value is string => typeof value === 'string' && kindOf(value) !== undefined);
}
