import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';

/** Filters of a screen, kept in its address so that the address can be shared. */
export function useFilters() {
  const { path, query, route } = useLocation();
  return {
    query,
    /** An empty value removes the filter. */
    set: (changes: Record<string, string | null>): void => {
      const wanted = Object.entries({ ...query, ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
      );
      const text = new URLSearchParams(wanted).toString();
      route(text === '' ? path : `${path}?${text}`);
    },
  };
}

/** The filters in the address that the list has. */
export function useNarrowed<Name extends string>(names: readonly Name[]): Partial<Record<Name, string>> {
  const { query } = useFilters();
  const given = names.filter((name) => query[name]);
  return Object.fromEntries(given.map((name) => [name, query[name]])) as Partial<Record<Name, string>>;
}

interface ChoiceProps {
  name: string;
  /** The name of the filter in the address. */
  field: string;
  options: readonly (readonly [value: string, name: string])[];
  /** The label of no choice; absent: the first option is the default. */
  all?: string;
}

/** A filter with a few values. */
export function Choice({ name, field, options, all }: ChoiceProps) {
  const { query, set } = useFilters();
  return (
    <label class="field inline">
      <span>{name}</span>
      <select
        value={query[field] ?? (all === undefined ? (options[0]?.[0] ?? '') : '')}
        onChange={(event) => set({ [field]: event.currentTarget.value })}
      >
        {all !== undefined && <option value="">{all}</option>}
        {options.map(([value, text]) => (
          <option value={value} key={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export const Filters = ({ children }: { children: ComponentChildren }) => (
  <div class="filters" role="group" aria-label="Filters">
    {children}
  </div>
);
