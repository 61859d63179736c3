import { WholeNumberField } from '../../http/request/fields.js';

/** Default time in seconds for which a replaced secret stays valid. */
export const PREVIOUS_SECONDS = 86_400;
const MAX_SECONDS = 604_800;

export const PreviousSecondsField = (description: string): PropertyDecorator =>
  WholeNumberField({
    description,
    min: 0,
    max: MAX_SECONDS,
    optional: true,
    default: PREVIOUS_SECONDS,
    example: PREVIOUS_SECONDS,
  });
