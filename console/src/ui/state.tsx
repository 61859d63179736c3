import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/api-error.js';
import type { Resource } from '../api/resource.js';
import { CopyButton } from './copy-button.js';

/** A refusal: the server's message, with the code and the request id that support needs. */
export function Refusal({ error, again }: { error: ApiError; again?: (() => void) | undefined }) {
  return (
    <div class="refusal" role="alert">
      <p>{error.message}</p>
      {error.details.length > 0 && (
        <ul>
          {error.details.map(({ field, message }) => (
            <li key={field + message}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p class="refusal-facts">
        <code>{error.code}</code>
        {error.requestId && (
          <>
            <span>
              request <code>{error.requestId}</code>
            </span>
            <CopyButton text={error.requestId} name="request id" />
          </>
        )}
        {again && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

/** An empty state: what it means, and what to do. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children && <div>{children}</div>}
  </div>
);

export const Loading = () => (
  <div class="loading" role="status">
    <span class="heard">Loading</span>
  </div>
);

interface LoadedProps<T> {
  of: Resource<T>;
  children: (data: T) => ComponentChildren;
}

/** Loaded data, or the reason why there is none. */
export function Loaded<T>({ of, children }: LoadedProps<T>) {
  if (of.error) return <Refusal error={of.error} again={of.reload} />;
  if (of.data === null) return <Loading />;
  return <>{children(of.data)}</>;
}
