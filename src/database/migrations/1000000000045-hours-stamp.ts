import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever adds hours to a market leaves a stamp, so that a process that finds its own need not read them back. null: whoever adds the next ones reads all. */
export class HoursStamp1000000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE markets ADD COLUMN hours_stamp uuid`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}
