import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditLog } from '../../domain/tenants/audit/audit-log.js';
import { auditFields } from '../../domain/tenants/audit/audit-chain.js';
import {
  ACTOR_KINDS,
  type ActorKind,
  type ListedAuditEntry,
} from '../../domain/tenants/audit/audit.queries.js';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { defined } from '../../http/defined.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { TextField } from '../../http/request/fields.js';
import { type ListPage, PageQuery, Paginator } from '../../http/request/paging.js';
import { IdFilterField, QueryTimeField } from '../../http/request/query-fields.js';
import { requestedSpan } from './yield-history.dto.js';

export class AuditQuery extends PageQuery {
  @QueryTimeField({ description: 'Only changes from this time on.', edge: 'start' }) from?: string;
  @QueryTimeField({ description: 'Only changes up to this time.', edge: 'end' }) to?: string;
  @IdFilterField({
    description: 'Only changes made with this key or one of its sessions.',
    kind: 'apiKey',
    example: undefined,
  })
  key_id?: string;
  @TextField({ description: 'Only changes made by this operation or command.', max: 64, optional: true })
  operation?: string;
  @TextField({
    description: 'Only changes to the record with this id, which may be deleted.',
    max: 64,
    optional: true,
  })
  subject?: string;
}

export class AuditActor {
  @Shown.choice(
    ACTOR_KINDS,
    'A key, a session of a key, a command of an operator, or the deployment itself.',
    'key',
  )
  kind: ActorKind;
  @ShownOrNull.id(
    'key',
    "The key; null for a command, and for an administrator's change in a partner's list.",
  )
  key_id: string | null;
  @ShownOrNull.id('ses', 'The session; null where the key itself was used.')
  session_id: string | null;
  @ShownOrNull.text('Label of the key at that time.', 'Reporting, production')
  label: string | null;
  @ShownOrNull.text('User of the operating system that ran the command.', null)
  user: string | null;
  @ShownOrNull.id('ptn', 'Partner that the key is bound to.') partner_id: string | null;
}

export class AuditEntryDto {
  @Shown.id('aud') id: string;
  @Shown.kind('audit_entry') object: 'audit_entry';
  @Shown.time('When the change was made.') at: string;
  @Shown.record(() => AuditActor, 'Who made it.') actor: AuditActor;
  @ShownOrNull.text(
    "Source address of the request; null for a command, and for an administrator's change in a partner's list.",
    '203.0.113.7',
  )
  address: string | null;
  @Shown.text('`operationId` of the operation, or the name of the command.', 'updatePartner')
  operation: string;
  @Shown.texts('Ids of the changed records.', [DEMO_IDS.partner]) subjects: readonly string[];
  @ShownOrNull.object('Changed fields before the change, by record id; null for a new record.', {
    [DEMO_IDS.partner]: { revenue_share_bps: 4000 },
  })
  before: object | null;
  @ShownOrNull.object(
    'Those fields after the change, without secrets; for transfers and for changes without a record, the input.',
    { [DEMO_IDS.partner]: { revenue_share_bps: 4500 } },
  )
  after: object | null;
  @ShownOrNull.id('req', 'Request that made the change; null for a command.') request_id: string | null;
  @ShownOrNull.integer(
    'Position of the entry in the chain; null within the first second, and always null for a partner.',
    1,
  )
  number: number | null;
  @ShownOrNull.text(
    "SHA-256, in hex, over the previous entry's hash and the JSON of this one.",
    '5f'.repeat(32),
  )
  hash: string | null;
}

const auditView = (entry: ListedAuditEntry, partnerId?: string): AuditEntryDto => ({
  object: 'audit_entry',
  ...auditFields(entry),
  number: entry.number === null || partnerId !== undefined ? null : Number(entry.number),
  hash: entry.hash?.toString('hex') ?? null,
});

const CONTENT =
  'Every change, newest first: who made it, when, from which address, on which records, and what changed, without secrets. An entry is written in the transaction of its change and is immutable; its `hash` covers the hash of the previous entry.';

/** Who changed what: for administrators everything, for a partner what its own keys did, and what administrators changed of its terms. */
@ApiTags('Audit log')
@Controller()
export class AuditController {
  constructor(
    private readonly audit: AuditLog,
    private readonly paging: Paginator,
  ) {}

  @Get('audit')
  @Operation({
    summary: 'List changes',
    description: CONTENT,
    access: { scopes: ['keys:admin', 'partner:admin'] },
    success: { object: 'list', data: AuditEntryDto, description: 'A page of entries.' },
    errors: ['not_found'],
    extension: true,
  })
  listAudit(@Query() query: AuditQuery) {
    return this.list(query);
  }

  @Get('partner/audit')
  @Operation({
    summary: 'List changes by your keys and of your terms',
    description: `${CONTENT} Changes by administrators are listed where they concern your terms: name and status, fee and share, bounds of your policy, campaigns; without who made them, and without \`hash\`.`,
    access: { scopes: ['partner:read'], partner: true },
    success: { object: 'list', data: AuditEntryDto, description: 'A page of entries.' },
    errors: ['not_found'],
    extension: true,
  })
  listPartnerAudit(@PartnerId() partnerId: string, @Query() query: AuditQuery) {
    return this.list(query, partnerId);
  }

  private list(query: AuditQuery, partnerId?: string): Promise<ListPage<AuditEntryDto>> {
    const { from, to, key_id: keyId, operation, subject } = query;
    const filter = { ...requestedSpan(query), ...defined({ partnerId, keyId, operation, subject }) };
    return this.paging.serve(
      ['audit', partnerId, from, to, keyId, operation, subject],
      query,
      (page) => this.audit.list(filter, page),
      (entry) => auditView(entry, partnerId),
    );
  }
}
