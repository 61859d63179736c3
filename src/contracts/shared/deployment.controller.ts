import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { YIELDS, yieldsOf } from '../../config/deployments.js';
import { Settings } from '../../config/settings.js';
import { VERSION } from '../../config/version.js';
import { type Backlogs, BacklogReader } from '../../domain/cycle/deployment/backlogs.js';
import { type Condition, Readiness, REFUSALS, STATUSES } from '../../domain/kernel/deployment/readiness.js';
import { type Replica, Replicas } from '../../domain/kernel/deployment/replicas.js';
import { SEND_RESULTS, type SendResult } from '../../domain/outbound/webhooks/delivery.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { Operation } from '../../http/openapi/operation.js';

class DeploymentTick {
  @ShownOrNull.time('Newest hour of the shared market; null before the first one.')
  newest_hour: string | null;
  @ShownOrNull.integer(
    'Whole seconds since the next hour was due: 0 while it is up to date; null before the first hour, or if it lies in the future.',
    0,
  )
  lag_seconds: number | null;
  @Shown.integer('Active vaults that were ever observed; 0: no feed has answered yet.', 12)
  vaults_observed: number;
}

class DeploymentQueue {
  @Shown.integer('Due jobs that no worker has claimed.', 0) jobs_waiting: number;
  @ShownOrNull.integer('Seconds since the oldest of them was due; null without one.', null)
  oldest_job_seconds: number | null;
  @Shown.integer('Queued deliveries; 100000 means that many or more.', 12)
  deliveries_queued: number;
  @ShownOrNull.integer('Seconds since the oldest of them was queued; null without one.', 3)
  oldest_delivery_seconds: number | null;
}

class DeploymentLedger {
  @ShownOrNull.time('When the ledger was last verified; null before the first time.')
  verified_at: string | null;
  @Shown.flag(
    'Whether the newest verification covered all partners; false: a seventh of them, as a large ledger is verified over a week.',
    true,
  )
  full: boolean;
  @ShownOrNull.integer('Entries that were read.', 20418) entries: number | null;
  @ShownOrNull.integer(
    'Differences between the ledger and stored balances, by the newest verification of each partner; the log lists them.',
    0,
  )
  differences: number | null;
}

class DeploymentSends {
  @Shown.choice(SEND_RESULTS, '`delivered`, or why it failed.', 'delivered') outcome: SendResult;
  @Shown.integer('Number of sends.', 1204) sends: number;
}

class ReplicaDto {
  @Shown.text('Name of its machine or container.', 'vaultline-partner-7c9f') name: string;
  @Shown.text('Role of the process.', 'all') role: string;
  @Shown.text('Version that it runs.', '1.0.0') version: string;
  @Shown.time('When it was started.') started_at: string;
  @Shown.time('Its last heartbeat, sent every 20 seconds.') seen_at: string;
  @Shown.flag(
    'True after a minute without a heartbeat: the process hangs, was killed, or cannot reach the database.',
    false,
  )
  silent: boolean;
}

class DeploymentDto {
  @Shown.kind('deployment') object: 'deployment';
  @Shown.environment('Environment of the deployment.') environment: string;
  @Shown.text('Version of the process that answers.', '1.0.0') version: string;
  @Shown.choice(
    STATUSES,
    'Whether that process takes deposits now (`ready`), as `/health/ready` says.',
    'ready',
  )
  status: Condition['status'];
  @ShownOrNull.choice(REFUSALS, 'Why it is `degraded` and takes no deposits; null otherwise.', null)
  degraded: Condition['degraded'];
  @Shown.choice(
    YIELDS,
    '`observed` once a feed has answered, `none` before; `simulated` if nothing is real.',
    'observed',
  )
  yields: ReturnType<typeof yieldsOf>;
  @Shown.time('When the figures were read.') at: string;
  @Shown.record(() => DeploymentTick, 'The hourly tick.') tick: DeploymentTick;
  @Shown.record(() => DeploymentQueue, 'Waiting jobs and deliveries.') queue: DeploymentQueue;
  @Shown.record(() => DeploymentLedger, 'Verification of the ledger, which runs every night.')
  ledger: DeploymentLedger;
  @Shown.records(() => DeploymentSends, 'Webhook sends of the replicas since each started, by outcome.')
  sends: readonly DeploymentSends[];
  @Shown.records(
    () => ReplicaDto,
    'Running processes, newest first, at most 100. A killed process is listed for an hour, or until it restarts.',
  )
  replicas: readonly ReplicaDto[];
}

const replicaView = viewOf(ReplicaDto);

function deploymentView(
  { at, tick, jobs, deliveries, ledger }: Backlogs,
  replicas: readonly Replica[],
  condition: Condition,
  settings: Settings,
): DeploymentDto {
  return {
    object: 'deployment',
    environment: settings.environment,
    version: VERSION,
    ...condition,
    yields: yieldsOf(settings, tick.vaultsObserved),
    at: at.toISOString(),
    tick: tickView({ ...tick, lagSeconds: whole(tick.lagSeconds) }),
    queue: {
      jobs_waiting: jobs.reduce((sum, { waiting }) => sum + waiting, 0),
      oldest_job_seconds:
        jobs.length === 0 ? null : whole(Math.max(...jobs.map(({ oldestSeconds }) => oldestSeconds))),
      deliveries_queued: deliveries.queued,
      oldest_delivery_seconds: whole(deliveries.oldestSeconds),
    },
    ledger: {
      verified_at: ledger?.verifiedAt.toISOString() ?? null,
      full: ledger?.isFull ?? false,
      entries: ledger?.entries ?? null,
      differences: ledger?.differences ?? null,
    },
    sends: SEND_RESULTS.map((outcome) => ({
      outcome,
      sends: replicas.reduce((sum, { sends }) => sum + (sends[outcome] ?? 0), 0),
    })),
    replicas: replicas.map(replicaView),
  };
}

const tickView = viewOf(DeploymentTick);

const whole = (seconds: number | null): number | null => (seconds === null ? null : Math.floor(seconds));

@ApiTags('Deployment')
@Controller('deployment')
export class DeploymentController {
  constructor(
    private readonly backlogs: BacklogReader,
    private readonly replicas: Replicas,
    private readonly readiness: Readiness,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Operation({
    summary: "Read the deployment's health",
    description:
      'Lag of the hourly tick and of the queue, outcomes of webhook sends, and the running processes. `/metrics` on the management port has more. Unknown figures are null.',
    access: { scopes: ['partner:admin', 'keys:admin'] },
    success: { object: 'deployment', data: DeploymentDto, description: 'The deployment as of now.' },
    extension: true,
  })
  async getDeployment() {
    const [backlogs, replicas] = [await this.backlogs.read(), await this.replicas.list()];
    return deploymentView(backlogs, replicas, await this.readiness.read(), this.settings);
  }
}
