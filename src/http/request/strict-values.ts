import type { Detail } from '../../domain/kernel/domain-error.js';
import { fieldName, RESERVED_NAMES } from './field-rules.js';

/** Text anywhere in the input that PostgreSQL cannot store, or that is not valid Unicode. */
export function* wrongTexts(value: unknown, path = '', depth = 1): Generator<Detail> {
  if (typeof value === 'string') {
    const message = wrongText(value);
    if (message) yield { field: fieldName(path), message };
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    const message = wrongName(name, depth);
    if (message) yield { field: fieldName(at), message };
    else yield* wrongTexts(child, at, depth + 1);
  }
}

/** First-level names may not be those of `Object.prototype` either: class-transformer drops them, and no field may vanish silently. */
function wrongName(name: string, depth: number): string | null {
  const isReserved = RESERVED_NAMES.includes(name);
  if (depth === 1 && (isReserved || name in Object.prototype)) return 'is not a known field';
  return isReserved ? 'is a reserved name' : wrongText(name);
}

function wrongText(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}
