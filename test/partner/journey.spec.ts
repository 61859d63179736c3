import { partnerJourney } from './journey.js';

partnerJourney('', async () => ({}));
