import type { ComponentChildren } from 'preact';
import { isOpen } from './places.js';

/** A link to another screen; its text alone where this session may not see that. */
export const PlaceLink = ({ to, children }: { to: string; children: ComponentChildren }) =>
  isOpen(to) ? <a href={to}>{children}</a> : <>{children}</>;
