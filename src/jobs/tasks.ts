import type { TaskList } from 'graphile-worker';
import type { Metrics } from '../telemetry/metrics.js';
import { DEFAULT_ATTEMPTS, type Task } from './task.js';

export class Tasks {
  constructor(
    private readonly tasks: readonly Task[],
    private readonly metrics: Metrics,
  ) {}

  list(): TaskList {
    return Object.fromEntries(this.tasks.map((task) => [task.name, (payload) => this.run(task, payload)]));
  }

  get recurring(): { task: string; seconds: number; attempts: number; late: number }[] {
    return this.tasks.flatMap(({ name, attempts = DEFAULT_ATTEMPTS, schedule }) =>
      schedule === undefined
        ? []
        : [{ task: name, attempts, seconds: schedule.seconds, late: schedule.late ?? 0 }],
    );
  }

  get queuedAtStart(): readonly Task[] {
    return this.tasks.filter((task) => task.isQueuedAtStart);
  }

  /** @param ended resolves once no job runs any more */
  async stop(ended: Promise<unknown>): Promise<void> {
    await Promise.all(this.tasks.map(async (task) => task.stop?.(ended)));
  }

  private async run(task: Task, payload: unknown): Promise<void> {
    let outcome = 'failed';
    try {
      await task.run(payload);
      outcome = 'done';
    } finally {
      this.metrics.jobs.inc({ task: task.name, outcome });
    }
  }
}
