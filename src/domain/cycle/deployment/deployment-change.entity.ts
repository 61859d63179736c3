import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DeploymentIdentity } from '../../../config/deployment-identity.js';

/** Change of the settings that all processes share; the newest is in force. It never changes. */
@Entity('deployment_changes')
export class DeploymentChange {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' }) number: number;
  @Column('jsonb') identity: DeploymentIdentity;
  @Column('text') reason: string;
}
