import { Global, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { DatabaseConnection } from './connection.js';
import { createDataSource, createReplicaPool } from './data-source.js';

/** The deployment's data source, which `DatabaseConnection` connects; and connections to its read replica, or null. */
@Global()
@Module({
  providers: [
    {
      provide: DataSource,
      inject: [Settings],
      useFactory: (settings: Settings) => createDataSource(settings),
    },
    {
      provide: Pool,
      inject: [Settings],
      useFactory: (settings: Settings) => createReplicaPool(settings),
    },
    DatabaseConnection,
  ],
  exports: [DataSource, Pool, DatabaseConnection],
})
export class DatabaseModule {}
