import type { ComponentChildren } from 'preact';

export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'accent';

/** A state in a word; the colour adds no information. */
export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
