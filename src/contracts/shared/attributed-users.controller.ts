import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type AttributedUser as UserReport, ReportService } from '../../domain/reporting/report.service.js';
import { UserService } from '../../domain/tenants/users/user.service.js';
import { USER_STATUSES } from '../../domain/tenants/users/user.entity.js';
import { Shown } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { Paginator } from '../../http/request/paging.js';
import { PositionCounts } from './report.dto.js';
import { BALANCES, SHOWN_EXTERNAL_ID, UserBalance } from './user.dto.js';
import { AsOfPageQuery, requestedMoment } from './as-of.js';
import { AddressField, TextField } from '../../http/request/fields.js';
import { UserIdsField } from '../../http/request/query-fields.js';

class AttributedUsersQuery extends AsOfPageQuery {
  @UserIdsField() ids?: string;

  @TextField({
    description: 'Only the end-user with this identifier of yours.',
    max: 255,
    example: 'acme:user-1042',
    optional: true,
  })
  external_id?: string;

  @AddressField({
    description: 'Only the end-user with this wallet, in any mixture of cases.',
    example: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    optional: true,
  })
  wallet?: string;
}

class AttributedUserDto {
  @Shown.id('usr') id: string;
  @Shown.kind('attributed_user') object: 'attributed_user';
  @Shown.text(SHOWN_EXTERNAL_ID.live.description, 'acme:user-1042', { byEnvironment: SHOWN_EXTERNAL_ID })
  external_id: string;
  @Shown.text('Display name of the user.', 'User 1042') label: string;
  @Shown.choice(USER_STATUSES, '`blocked`: deposits are refused, withdrawals stay possible.', 'active')
  status: (typeof USER_STATUSES)[number];
  @Shown.texts('Wallet addresses, checksummed (EIP-55), in the order given.', [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ])
  wallets: string[];
  @Shown.record(() => PositionCounts, "Number of the user's positions.") positions: PositionCounts;
  @Shown.amount(
    "Value of the user's positions, in whole units over all assets. Stablecoins are added at par. Rounded down once per vault: it may exceed the sum " +
      "of the positions' own values by less than 0.000001 per position.",
    250.412345,
  )
  net_tvl: number;
  @Shown.records(() => UserBalance, BALANCES) balances: readonly UserBalance[];
  @Shown.time() created_at: string;
}

const attributedUserView = viewOf(AttributedUserDto, ({ open, closed }: UserReport) => ({
  positions: { open, closed },
}));

const access = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('Reports')
@Controller('partner')
export class AttributedUsersController {
  constructor(
    private readonly reports: ReportService,
    private readonly endUsers: UserService,
    private readonly paging: Paginator,
  ) {}

  @Get('users')
  @Operation({
    summary: 'List end-users',
    description: 'Your end-users, newest first, with the current value of their positions.',
    access,
    success: { object: 'list', data: AttributedUserDto, description: 'A page of end-users.' },
  })
  listPartnerUsers(@PartnerId() partnerId: string, @Query() query: AttributedUsersQuery) {
    return this.paging.serve(
      ['partner users', partnerId, query.as_of, query.ids, query.external_id, query.wallet],
      query,
      async (page) =>
        this.reports.users(partnerId, page, {
          ids: await this.requestedIds(partnerId, query),
          asOf: requestedMoment(query.as_of),
        }),
      attributedUserView,
    );
  }

  /** Ids that the list is limited to; undefined: all. A user fits every filter. */
  private async requestedIds(
    partnerId: string,
    { ids, external_id: externalId, wallet }: AttributedUsersQuery,
  ): Promise<string[] | undefined> {
    const given = ids?.split(',');
    if (externalId === undefined && wallet === undefined) return given;
    const fitting = await this.endUsers.findIds(partnerId, { externalId, wallet });
    return fitting.filter((id) => given?.includes(id) ?? true);
  }
}
