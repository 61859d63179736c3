import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';

/** What a screen is narrowed to stands in its address, so that the address can be sent. */
export function useFilters() {
  const { path, query, route } = useLocation();
  return {
    query,
    /** An empty value takes the filter away. */
    set: (changes: Record<string, string | null>): void => {
      const wanted = Object.entries({ ...query, ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
      );
      const text = new URLSearchParams(wanted).toString();
      route(text === '' ? path : `${path}?${text}`);
    },
  };
}

/** What the address narrows a list to, of the filters that the list has. */
export function useNarrowed<Name extends string>(names: readonly Name[]): Partial<Record<Name, string>> {
  const { query } = useFilters();
  const given = names.filter((name) => query[name]);
  return Object.fromEntries(given.map((name) => [name, query[name]])) as Partial<Record<Name, string>>;
}

interface ChoiceProps {
  name: string;
  /** In the address. */
  field: string;
  options: readonly (readonly [value: string, name: string])[];
  /** What no choice is called; absent: the first option is chosen. */
  all?: string;
}

/** A filter of a few values. */
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
