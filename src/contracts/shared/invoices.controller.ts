import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InvoiceService } from '../../domain/reporting/invoice.service.js';
import { PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  InvoiceDto,
  invoicesFilter,
  InvoicesQuery,
  invoiceView,
  SettleInvoiceInputDto,
  settlementOf,
} from './invoice.dto.js';

@ApiTags('Reports')
@Controller('partner')
export class PartnerInvoicesController {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly paging: Paginator,
  ) {}

  @Get('invoices')
  @Operation({
    summary: 'List your invoices',
    description:
      'Fees of your closed months, newest month first: an invoice per month and asset with a fee. It never changes, but for its end as paid or void.',
    access: { scopes: ['partner:read'], partner: true },
    success: { object: 'list', data: InvoiceDto, description: 'A page of invoices.' },
    extension: true,
  })
  listPartnerInvoices(@PartnerId() partnerId: string, @Query() query: InvoicesQuery) {
    return this.paging.serve(
      ['partner invoices', partnerId, query.status, query.period],
      query,
      (page) => this.invoices.list(partnerId, invoicesFilter(query), page),
      invoiceView,
    );
  }
}

const access = { scopes: ['partner:admin'] } as const;

/** Invoices of any partner, for administrators. */
@ApiTags('Partners')
@Controller('partners/:id/invoices')
export class InvoicesController {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly paging: Paginator,
  ) {}

  @Get()
  @Operation({
    summary: 'List invoices',
    description: 'Fees of the closed months of a partner, newest month first.',
    access,
    success: { object: 'list', data: InvoiceDto, description: 'A page of invoices.' },
    extension: true,
  })
  listInvoices(@PathId('id', 'partner', 'The partner.') partnerId: string, @Query() query: InvoicesQuery) {
    return this.paging.serve(
      ['invoices', partnerId, query.status, query.period],
      query,
      (page) => this.invoices.list(partnerId, invoicesFilter(query), page),
      invoiceView,
    );
  }

  @Post(':invoiceId/settle')
  @Operation({
    summary: 'Settle an invoice',
    description:
      "Enters that an open invoice was paid, with the partner's part, or voids it. It is an entry of the partner's journal, and never dated in a closed day.",
    access,
    success: { object: 'invoice', data: InvoiceDto, description: 'The settled invoice.' },
    errors: ['invoice_settled'],
    extension: true,
  })
  settleInvoice(
    @PathId('id', 'partner', 'The partner.') partnerId: string,
    @PathId('invoiceId', 'invoice', 'The invoice.') id: string,
    @Body() body: SettleInvoiceInputDto,
    @Idempotent() once: Once<InvoiceDto>,
  ) {
    return once(async () => invoiceView(await this.invoices.settle(partnerId, id, settlementOf(body))));
  }
}
