import { divertToLoopback } from '../../support/public-hosts.ts';

divertToLoopback();
