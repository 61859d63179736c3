import { WholeNumberField } from '../../http/request/fields.js';

/** For how long a secret that is replaced is still good, where nothing is said. */
export const PREVIOUS_SECONDS = 86_400;
const MOST_SECONDS = 604_800;

export const PreviousSecondsField = (description: string): PropertyDecorator =>
  WholeNumberField({
    description,
    min: 0,
    max: MOST_SECONDS,
    optional: true,
    default: PREVIOUS_SECONDS,
    example: PREVIOUS_SECONDS,
  });
