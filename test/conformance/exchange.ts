/** One request and its answer, as a report shows them. */
export interface Exchange {
  /** `administrator`, `partner` ...: whose key it was sent with; the key itself is nobody's business. */
  caller: string;
  method: string;
  /** Relative to the API root, with its query. */
  path: string;
  sent: { headers: Record<string, string>; body: string | null };
  status: number;
  headers: Headers;
  text: string;
  // Rules look into bodies freely.
  body: any;
}

export const requestIdOf = ({ headers }: Exchange): string | null => headers.get('x-request-id');
export const codeOf = ({ body }: Exchange): string | undefined => body?.error?.code;
export const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300;
/** The fields that a refusal of input names. */
export const fieldsOf = ({ body }: Exchange): string[] =>
  (Array.isArray(body?.error?.details) ? body.error.details : []).map((detail: any) => String(detail?.field));

/** `POST /users answered 409 external_id_taken` */
export const summaryOf = (exchange: Exchange): string =>
  `${exchange.method} ${exchange.path} answered ${[exchange.status, codeOf(exchange)].filter(Boolean).join(' ')}`;

const SECRETS =
  /(vl_(?:live|sandbox)_[0-9A-Za-z]{4})[0-9A-Za-z]+|(whsec_)[0-9A-Za-z+/]{39}([0-9A-Za-z+/]{4}=?)/g;
/** A report is passed around: the secrets in it are not. */
export const masked = (text: string): string => text.replace(SECRETS, '$1$2****$3');
