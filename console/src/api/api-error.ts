/** A refusal of the server, or a failure to reach it, as the console shows it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    /** Status of the answer; 0: there was no answer. */
    readonly status: number,
    readonly details: readonly { field: string; message: string }[] = [],
  ) {
    super(message);
  }
}

interface ErrorBody {
  error?: {
    code?: string;
    message?: string;
    request_id?: string;
    details?: { field: string; message: string }[];
  };
}

/** @param body the parsed body; undefined where it was not JSON */
export function errorOf(response: Response, body: unknown): ApiError {
  const { error } = (body ?? {}) as ErrorBody;
  return new ApiError(
    error?.code ?? `http_${response.status}`,
    error?.message ?? 'The answer did not come from the Vaultline API.',
    error?.request_id ?? response.headers.get('X-Request-Id'),
    response.status,
    error?.details,
  );
}

/** Converts any thrown value to an ApiError. */
export const asApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError
    ? thrown
    : new ApiError('unreachable', 'The server did not answer. Check that it runs, then try again.', null, 0);
