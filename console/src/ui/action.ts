import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../api/api-error.js';

/** Something that changes the server: one at a time, and its refusal. */
export function useAction() {
  const [state, setState] = useState<{ busy: boolean; error: ApiError | null }>({ busy: false, error: null });
  return {
    ...state,
    /** @returns what it answered; null where it was refused */
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
