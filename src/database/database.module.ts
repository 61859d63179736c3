import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { DatabaseConnection } from './connection.js';
import { createDataSource } from './data-source.js';

/** The deployment's data source, which `DatabaseConnection` connects. */
@Global()
@Module({
  providers: [
    {
      provide: DataSource,
      inject: [Settings],
      useFactory: (settings: Settings) => createDataSource(settings),
    },
    DatabaseConnection,
  ],
  exports: [DataSource, DatabaseConnection],
})
export class DatabaseModule {}
