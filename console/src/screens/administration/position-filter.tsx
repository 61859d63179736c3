import { useFilters } from '../../ui/filters.js';

/** Says that a list is filtered by one position, if the address names one. */
export function PositionFilter() {
  const { query, set } = useFilters();
  const id = query['position_id'];
  if (id === undefined) return null;
  return (
    <p class="filter-fact">
      Of <code>{id}</code>{' '}
      <button type="button" class="small" onClick={() => set({ position_id: null })}>
        Of all positions
      </button>
    </p>
  );
}
