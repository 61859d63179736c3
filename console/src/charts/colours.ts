import { useEffect, useState } from 'preact/hooks';

/** Number of line colours in the style sheet, and so the most lines of a chart. */
export const COLOURS = 8;

/** What a canvas is drawn with: the custom properties of the page, as they are now. */
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

/** Changes when the system goes from light to dark or back: what is drawn has to be drawn anew. */
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
