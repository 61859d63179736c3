import { jest } from '@jest/globals';
import { describeDeployment } from './deployment.suite.js';

jest.setTimeout(120_000);

describeDeployment('reported');
