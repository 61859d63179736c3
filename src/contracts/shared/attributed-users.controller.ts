import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReportService } from '../../domain/reporting/report.service.js';
import { PartnerId } from '../../http/request/caller.decorators.js';
import { Operation } from '../../http/openapi/operation.js';
import { type Listed, Paging } from '../../http/request/paging.js';
import { AsOfPageQuery, momentAsked } from './as-of.js';
import { AttributedUserDto, attributedUserView } from './attributed-user.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('Reports')
@Controller('partner')
export class AttributedUsersController {
  constructor(
    private readonly reports: ReportService,
    private readonly paging: Paging,
  ) {}

  @Get('users')
  @Operation({
    summary: 'List end-users',
    description: 'Your end-users, newest first, each with what its positions are worth now.',
    access,
    success: { object: 'list', data: AttributedUserDto, description: 'A page of end-users.' },
  })
  listPartnerUsers(
    @PartnerId() partnerId: string,
    @Query() query: AsOfPageQuery,
  ): Promise<Listed<AttributedUserDto>> {
    return this.paging.serve(
      ['partner users', partnerId, query.as_of],
      query,
      (page) => this.reports.users(partnerId, page, momentAsked(query.as_of)),
      attributedUserView,
    );
  }
}
