import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainSettings } from '../../config/domain-settings.js';
import {
  type Account,
  AccountService,
  type ClockAdvance,
} from '../../domain/cycle/accounts/account.service.js';
import { AccountTime } from '../../domain/cycle/accounts/account-time.service.js';
import { SimulatedEventService } from '../../domain/cycle/accounts/simulated-event.service.js';
import { viewOf } from '../../http/answer/view.js';
import { type Charge, ChargePoints, HOURS_A_POINT } from '../../http/limits/points.guard.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { PathVault } from '../../http/request/path.js';
import type { Once, TransactionHooks } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { VaultDto, vaultView } from '../shared/vault.dto.js';
import {
  AdvanceClockRequest,
  BendMarketRequest,
  eventView,
  ResetRequest,
  SimulatedEventRecord,
  SimulateEventRequest,
  SimulationAdvance,
  SimulationClock,
} from './simulation.dto.js';

const clockView = viewOf(SimulationClock, ({ wall, scenario }: Account) => ({
  wall_time: wall.toISOString(),
  scenario: scenario?.name ?? null,
  scenario_from: scenario?.from.toISOString() ?? null,
}));

const advanceView = viewOf(SimulationAdvance, ({ moved }: ClockAdvance) => ({ rebalances: moved }));

const access = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('Simulation')
@Controller('simulation')
export class SimulationController {
  constructor(
    private readonly accounts: AccountService,
    private readonly time: AccountTime,
    private readonly events: SimulatedEventService,
    private readonly settings: DomainSettings,
  ) {}

  @Get('clock')
  @Operation({
    summary: "Read the account's clock",
    description:
      "Your account's clock: wall time plus the hours that it was advanced. All figures of your account are as of this time.",
    access,
    success: { object: 'simulation_clock', data: SimulationClock, description: 'The clock.' },
    extension: true,
  })
  async readSimulationClock(@PartnerId() partnerId: string) {
    return clockView(await this.accounts.read(partnerId));
  }

  @Post('clock/advance')
  @Operation({
    summary: "Advance the account's clock",
    description:
      "Advances your account's clock and runs every hour in order: market, accruals, routing, statements, events. An interrupted advance has no effect.",
    access,
    success: {
      object: 'simulation_advance',
      data: SimulationAdvance,
      description: 'The result of the advance.',
    },
    errors: ['advance_in_progress'],
    changes: 'account',
    extension: true,
  })
  advanceSimulationClock(
    @PartnerId() partnerId: string,
    @Body() { hours }: AdvanceClockRequest,
    @ChargePoints() charge: Charge,
    @Idempotent() once: Once<SimulationAdvance>,
  ) {
    return once(async () => {
      charge(hours / HOURS_A_POINT);
      return advanceView(await this.accounts.advance(partnerId, hours));
    }, this.withSlot(partnerId));
  }

  @Post('events')
  @Operation({
    summary: 'Raise an event',
    description:
      'Raises an event of any type with synthetic data of the real shape, signed and delivered like a real one: see the delivery log.',
    access,
    success: { status: 201, object: 'event', data: SimulatedEventRecord, description: 'The event.' },
    errors: ['not_found'],
    extension: true,
  })
  simulateEvent(
    @PartnerId() partnerId: string,
    @Body() { type, webhook_id: webhookId, data = {} }: SimulateEventRequest,
    @ChargePoints() charge: Charge,
    @Idempotent() once: Once<SimulatedEventRecord>,
  ) {
    const event = { type, webhookId: webhookId ?? null, data };
    return once(async () => {
      const raised = await this.events.raise(partnerId, event);
      charge(raised.sends);
      return eventView(raised);
    });
  }

  @Post('market')
  @Operation({
    summary: "Set the market's scenario",
    description:
      "Sets the scenario of your account's market from its next hour on. It replaces the previous scenario; a reset ends it.",
    access,
    success: {
      object: 'simulation_clock',
      data: SimulationClock,
      description: 'The clock, with the scenario.',
    },
    errors: ['advance_in_progress'],
    changes: 'account',
    extension: true,
  })
  bendSimulatedMarket(
    @PartnerId() partnerId: string,
    @Body() { scenario }: BendMarketRequest,
    @Idempotent() once: Once<SimulationClock>,
  ) {
    return once(async () => clockView(await this.accounts.applyScenario(partnerId, scenario)));
  }

  @Delete('vaults/:id/quarantine')
  @Operation({
    summary: "End a quarantine in the account's market",
    description:
      "Ends the vault's quarantine in your account: it may take new funds again. If it is still in distress, the account's next hour quarantines it again.",
    access,
    success: { object: 'vault', data: VaultDto, description: 'The updated vault.' },
    errors: ['not_found', 'advance_in_progress'],
    changes: 'account',
    extension: true,
  })
  async endSimulatedQuarantine(
    @PartnerId() partnerId: string,
    @PathVault('The vault.') id: string,
    @Recorded() recorded: RecordedWork,
  ) {
    return vaultView(await recorded(() => this.accounts.endQuarantine(partnerId, id)));
  }

  @Post('reset')
  @Operation({
    summary: 'Reset the account',
    description:
      "Clears your account's positions, ledger, decisions, deliveries, clock, scenario and market; no body means `{}`. Keys, end-users, campaigns, webhooks and answers stored for an `Idempotency-Key` stay.",
    access,
    success: { object: 'simulation_clock', data: SimulationClock, description: 'The new clock.' },
    errors: ['advance_in_progress'],
    changes: 'account',
    extension: true,
  })
  resetSimulation(
    @PartnerId() partnerId: string,
    @Body() { seed }: ResetRequest,
    @ChargePoints() charge: Charge,
    @Idempotent() once: Once<SimulationClock>,
  ) {
    const { historyHours } = this.settings.constants.simulation;
    return once(async () => {
      charge(historyHours / HOURS_A_POINT);
      return clockView(await this.accounts.reset(partnerId, seed ?? null));
    }, this.withSlot(partnerId));
  }

  /** Runs one advance or reset of an account at a time, and a few accounts at once. */
  private withSlot(partnerId: string): TransactionHooks {
    return { around: (transaction, signal) => this.time.runInSlot(partnerId, signal, transaction) };
  }
}
