import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scenario } from '../../markets/simulation/simulated-market.js';

/** Market of an account, as far as its owner moves it. */
@Entity('markets')
export class AccountMarket {
  @PrimaryColumn('text') id: string;
  @Column('text', { nullable: true }) ownerId: string | null;
  /** null: the id. */
  @Column('text', { nullable: true }) seed: string | null;
  @Column('int') hoursAhead: number;
  @Column('timestamptz', { nullable: true }) tickedHour: Date | null;
  @Column('timestamptz', { nullable: true }) begunHour: Date | null;
  @Column('timestamptz', { nullable: true }) routedHour: Date | null;
  @Column('uuid', { nullable: true }) hoursStamp: string | null;
  @Column('text', { nullable: true }) scenario: Scenario['name'] | null;
  @Column('timestamptz', { nullable: true }) scenarioFrom: Date | null;
}
