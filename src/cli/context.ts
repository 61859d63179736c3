import { userInfo } from 'node:os';
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Settings } from '../config/settings.js';
import { DatabaseConnection } from '../database/connection.js';
import { DatabaseModule } from '../database/database.module.js';
import { DomainModule } from '../domain/domain.module.js';
import { AuditLog } from '../domain/tenants/audit/audit-log.js';
import { ProcessModule } from '../process.module.js';
import { silentLogger } from '../telemetry/logger.js';

/** How long a command waits for the database. */
const PATIENCE_MS = 10_000;

@Module({})
class CommandModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: CommandModule,
      imports: [ProcessModule.with(settings, silentLogger()), DatabaseModule, DomainModule],
    };
  }
}

/** Runs a command on the domain of one deployment, connected and migrated, without server and job queue. */
export async function withDomain<T>(
  settings: Settings,
  command: (context: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const context = await NestFactory.createApplicationContext(CommandModule.with(settings), {
    logger: false,
    abortOnError: false,
  });
  const database = context.get(DatabaseConnection);
  try {
    await database.start(PATIENCE_MS);
    return await command(context);
  } finally {
    await database.stop();
    await context.close();
  }
}

/** A command's change, for the audit log. */
interface CommandAct {
  operation: string;
  subjects?: readonly string[];
  input?: object;
  setsFields?: boolean;
}

/** Runs a command's change in a transaction with its entry in the audit log. */
export const recordChange = <T>(
  context: INestApplicationContext,
  { subjects = [], ...act }: CommandAct,
  change: () => Promise<T>,
): Promise<T> =>
  context
    .get(AuditLog)
    .record(
      { actor: { kind: 'cli', user: userInfo().username }, address: null, requestId: null, subjects, ...act },
      change,
    );
