import type { ComponentChildren } from 'preact';
import { isOpen } from './places.js';

/** A link to another screen; plain text where the session may not see that screen. */
export const PlaceLink = ({ to, children }: { to: string; children: ComponentChildren }) =>
  isOpen(to) ? <a href={to}>{children}</a> : <>{children}</>;
