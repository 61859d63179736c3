import { useEffect, useState } from 'preact/hooks';
import { useFilters } from './filters.js';

/** The search text in the address. */
export const useSearch = (): string => (useFilters().query['q'] ?? '').trim();

/** Searches once typing stops. */
export function SearchField({ name }: { name: string }) {
  const { query, set } = useFilters();
  const [text, setText] = useState(query['q'] ?? '');
  useEffect(() => {
    if (text === (query['q'] ?? '')) return;
    const timer = setTimeout(() => set({ q: text }), 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="field inline search">
      <span>{name}</span>
      <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
    </label>
  );
}
