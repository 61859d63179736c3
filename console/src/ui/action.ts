import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../api/api-error.js';

/** A request that changes the server: one at a time, with its refusal. */
export function useAction() {
  const [state, setState] = useState<{ busy: boolean; error: ApiError | null }>({ busy: false, error: null });
  return {
    ...state,
    /** @returns the answer; null where it was refused */
    run: async <T>(act: () => Promise<T>): Promise<T | null> => {
      setState({ busy: true, error: null });
      try {
        const answer = await act();
        setState({ busy: false, error: null });
        return answer;
      } catch (thrown) {
        setState({ busy: false, error: asApiError(thrown) });
        return null;
      }
    },
  };
}
