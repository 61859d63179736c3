import { sandboxJourney } from './journey.js';

sandboxJourney('', async () => ({}));
