import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A text sealed at the first start: at most one row. */
@Entity('secrets_canary')
export class Canary {
  @PrimaryColumn('boolean') single: true;
  @Column('bytea') sealed: Buffer;
  @Column('timestamptz') sealedAt: Date;
}
