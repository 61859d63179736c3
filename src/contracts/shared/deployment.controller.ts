import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import { Census } from '../../domain/cycle/deployment/census.js';
import { Replicas } from '../../domain/kernel/deployment/replicas.js';
import { Operation } from '../../http/openapi/operation.js';
import { DeploymentDto, deploymentView } from './deployment.dto.js';

@ApiTags('Deployment')
@Controller('deployment')
export class DeploymentController {
  constructor(
    private readonly census: Census,
    private readonly replicas: Replicas,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Operation({
    summary: 'Read how the deployment is',
    description:
      'How far the hourly tick and the queue are behind, what sends came to, and which processes there are. The same figures, and more, are at `/metrics` on the management port. What cannot be said is null.',
    access: { scopes: ['partner:admin', 'keys:admin'] },
    success: { object: 'deployment', data: DeploymentDto, description: 'The deployment as of now.' },
    extension: true,
  })
  async getDeployment(): Promise<DeploymentDto> {
    const [standing, replicas] = [await this.census.take(), await this.replicas.seen()];
    return deploymentView(standing, replicas, this.settings.environment);
  }
}
