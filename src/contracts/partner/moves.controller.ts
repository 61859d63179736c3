import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { checksummedAddress } from '../../config/chains.js';
import { DomainSettings } from '../../config/domain-settings.js';
import type { Hex } from '../../domain/markets/chain/chain-provider.js';
import { MoveResolver } from '../../domain/routing/move-checks/move-resolver.service.js';
import { GainReviews } from '../../domain/routing/orders/gain-review.service.js';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { MoveReportService, type WhichOrder } from '../../domain/routing/orders/move-report.service.js';
import { callsOf } from '../../domain/routing/orders/order-calls.js';
import { MoveOrderService } from '../../domain/routing/allocation/move-order.service.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import type { Caller } from '../../domain/tenants/access/authenticator.js';
import { BoundPartnerId, CurrentCaller } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { ListPage, Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  callsView,
  FailedInputDto,
  MoveOrderWithCalls,
  MoveQuery,
  RedeemedInputDto,
  ResolveMoveInputDto,
  ReviewMoveInputDto,
  SettledInputDto,
  TakenInputDto,
} from './move.dto.js';
import { transferOf } from './reported-transactions.js';
import { LIST_MOVES, movesFilter, movesIdentity, MovesQuery, READ_MOVE } from '../shared/move.dto.js';

const access = { scopes: ['write'] } as const;
/** Administrators read moves that await their review; partners read their own. */
const READ_ACCESS = { scopes: ['write', 'partner:admin', 'partner:read'] } as const;
const success = (description: string) =>
  ({ status: 201, object: 'move_order', data: MoveOrderWithCalls, listed: true, description }) as const;
const REPEATABLE = 'Repeating the report changes nothing.';

/** Moves to be executed on their chains, and the executor's reports on them. */
@ApiTags('Moves')
@Controller('moves')
export class MovesController {
  constructor(
    private readonly orders: MoveOrderService,
    private readonly reports: MoveReportService,
    private readonly reviews: GainReviews,
    private readonly resolver: MoveResolver,
    private readonly paging: Paginator,
    private readonly settings: DomainSettings,
  ) {}

  @Get()
  @Operation({
    ...LIST_MOVES,
    description:
      'Moves for the executor and their state, newest first. An `urgent` move leaves an unsafe vault. `review=pending_review` lists moves whose reported gain awaits an administrator.',
    access: READ_ACCESS,
    success: { object: 'list', data: MoveOrderWithCalls, description: 'A page of moves.' },
  })
  listMoves(@BoundPartnerId() partnerId: string | null, @Query() query: MovesQuery) {
    return this.paging.serve(
      ['moves', partnerId ?? undefined, ...movesIdentity(query)],
      query,
      (page) => this.orders.list({ partnerId, ...movesFilter(query) }, page),
      (order) => callsView(order),
    );
  }

  @Get(':id')
  @Operation({
    ...READ_MOVE,
    description:
      'A move, with the current value of its funds. With `account`, also the contract calls that execute the rest of it.',
    access: READ_ACCESS,
    success: { object: 'move_order', data: MoveOrderWithCalls, description: 'The move.' },
  })
  async readMove(
    @BoundPartnerId() partnerId: string | null,
    @PathId('id', 'move', 'The move.') id: string,
    @Query() { account }: MoveQuery,
  ) {
    const order = await this.orders.get(id, partnerId);
    const holder = account === undefined ? null : checksummedAddress(account);
    return callsView(order, holder === null ? [] : await callsOf(order, holder as Hex, this.settings));
  }

  @Post(':id/taken')
  @Operation({
    summary: 'Take up a move',
    description:
      'Claims the move: it no longer lapses, and no other executor can claim it. The answer is `failed` where the target no longer accepts the funds; then do nothing. Reporting the next step claims it too, but until then it may lapse.',
    access,
    success: success('The move: `redeeming`; for a received deposit, `arriving` still.'),
    errors: ['move_not_open', 'move_already_reported', 'report_unresolved'],
    extension: true,
  })
  takeMove(
    @CurrentCaller() { partnerId, keyId }: Caller,
    @PathId('id', 'move', 'The move.', DEMO_IDS.untakenMove) id: string,
    @Body() { batch }: TakenInputDto,
    @Idempotent() once: Once<Moves>,
  ) {
    return this.report(once, { id, partnerId, batch }, (which) => this.reports.take(which, keyId));
  }

  @Post(':id/redeemed')
  @Operation({
    summary: 'Report that the funds left their vault',
    description: `The amount that the vault paid out is in cash from now on; report the transaction that brings it to a custody account, or all of them. Check the answer before you send the funds on: \`failed\` with \`refused\` means that the target no longer accepts them and they stay in cash. ${REPEATABLE}`,
    access,
    success: success('The move: `arriving`; `settled` where it leads into cash.'),
    errors: ['move_not_open', 'move_already_reported', 'report_unresolved', 'amount_out_of_bounds'],
    extension: true,
  })
  reportMoveRedeemed(
    @CurrentCaller() { partnerId, keyId }: Caller,
    @PathId('id', 'move', 'The move.') id: string,
    @Body() { batch, ...reported }: RedeemedInputDto,
    @Idempotent() once: Once<Moves>,
  ) {
    const report = { ...transferOf(reported), keyId };
    return this.report(once, { id, partnerId, batch }, (which) => this.reports.redeemed(which, report));
  }

  @Post(':id/settled')
  @Operation({
    summary: 'Report that the funds are in their new vault',
    description: `The funds earn in the new vault from now on. ${REPEATABLE}`,
    access,
    success: success('The move: `settled`.'),
    errors: [
      'move_not_open',
      'move_already_reported',
      'report_unresolved',
      'vault_refused',
      'amount_out_of_bounds',
    ],
    extension: true,
  })
  reportMoveSettled(
    @CurrentCaller() { partnerId, keyId }: Caller,
    @PathId('id', 'move', 'The move.', DEMO_IDS.arrivingMove) id: string,
    @Body() { batch, ...reported }: SettledInputDto,
    @Idempotent() once: Once<Moves>,
  ) {
    const report = { ...transferOf(reported), keyId };
    return this.report(once, { id, partnerId, batch }, (which) => this.reports.settled(which, report));
  }

  @Post(':id/failed')
  @Operation({
    summary: 'Report that a move is not executed',
    description: `Funds that left their vault are in cash; the rest stays in the vault. The next hour decides again. ${REPEATABLE}`,
    access,
    success: success('The move: `failed`.'),
    errors: ['move_not_open', 'move_already_reported'],
    extension: true,
  })
  reportMoveFailed(
    @BoundPartnerId() partnerId: string | null,
    @PathId('id', 'move', 'The move.', DEMO_IDS.failingMove) id: string,
    @Body() { note, batch }: FailedInputDto,
    @Idempotent() once: Once<Moves>,
  ) {
    return this.report(once, { id, partnerId, batch }, (which) => this.reports.failed(which, note));
  }

  @Post(':id/review')
  @Operation({
    summary: 'Review a gain',
    description:
      'Approves or rejects a reported gain (`review.status` is `pending_review`). An approved gain is booked now as yield of the moved positions that are still open. Repeating the decision changes nothing.',
    access: { scopes: ['partner:admin'] },
    success: { object: 'move_order', data: MoveOrderWithCalls, description: 'The updated move.' },
    errors: ['move_not_open'],
    extension: true,
  })
  reviewMove(
    @PathId('id', 'move', 'The move.', DEMO_IDS.gainingMove) id: string,
    @Body() { action, note }: ReviewMoveInputDto,
    @Idempotent() once: Once<MoveOrderWithCalls>,
  ) {
    return once(async () => {
      await this.reviews.review(id, action, note);
      return callsView(await this.orders.get(id, null));
    });
  }

  @Post(':id/resolve')
  @Operation({
    summary: 'Resolve a contradicted report',
    description:
      'Accepts or voids a report that the chain contradicts (`redeemed.check` or `settled.check` is `mismatch` or `not_found`); until then the key that made it reports nothing more. Repeating the decision changes nothing.',
    access: { scopes: ['partner:admin'] },
    success: { object: 'move_order', data: MoveOrderWithCalls, description: 'The updated move.' },
    errors: ['move_not_open'],
    extension: true,
  })
  resolveMove(
    @PathId('id', 'move', 'The move.', DEMO_IDS.contradictedMove) id: string,
    @Body() { step, action, note }: ResolveMoveInputDto,
    @Idempotent() once: Once<MoveOrderWithCalls>,
  ) {
    return once(async () => {
      await this.resolver.resolve({ id, step, action, note });
      return callsView(await this.orders.get(id, null));
    });
  }

  /** Runs the report and reads its answer in one transaction. */
  private report(
    once: Once<Moves>,
    which: WhichOrder,
    work: (which: WhichOrder) => Promise<unknown>,
  ): Promise<Moves> {
    return once(async () => {
      await work(which);
      return which.batch
        ? new ListPage(
            (await this.orders.findBatch(which.id, which.partnerId)).map((order) => callsView(order)),
            null,
          )
        : callsView(await this.orders.get(which.id, which.partnerId));
    });
  }
}

type Moves = MoveOrderWithCalls | ListPage<MoveOrderWithCalls>;
