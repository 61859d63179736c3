import { useEffect, useState } from 'preact/hooks';

/** The number of line colours in the style sheet, and so the largest number of lines in a chart. */
export const COLOURS = 8;

/** Colours of a canvas: the present custom properties of the page. */
export function chartInk(element: Element) {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: read('--ink-soft'),
    line: read('--line-faint'),
    mark: read('--accent'),
    font: `11px ${style.fontFamily}`,
    series: Array.from({ length: COLOURS }, (_, at) => read(`--series-${at + 1}`)),
  };
}

/** Changes with the system's color scheme, upon which charts are drawn again. */
export function useColours(): string {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const [scheme, setScheme] = useState(dark.matches ? 'dark' : 'light');
  useEffect(() => {
    const changed = (): void => setScheme(dark.matches ? 'dark' : 'light');
    dark.addEventListener('change', changed);
    return () => dark.removeEventListener('change', changed);
  }, []);
  return scheme;
}
