import { PageQuery } from '../../http/request/paging.js';
import { queryTime, QueryTimeField } from '../../http/request/query-fields.js';

const AS_OF =
  'The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one.';

export const AsOfField = (): PropertyDecorator =>
  QueryTimeField({ description: AS_OF, edge: 'end', example: '2026-01-31' });

export class AsOfQuery {
  @AsOfField() as_of?: string;
}

export class AsOfPageQuery extends PageQuery {
  @AsOfField() as_of?: string;
}

/** Moment that a valid query names; a date stands for the midnight that ends it. */
export const requestedMoment = (text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined;
  const at = queryTime(text, 'end')!;
  return text.includes('T') ? at : new Date(at.getTime() + 1);
};
