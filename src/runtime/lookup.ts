import type { Extension } from '../contract/extension.ts';
import { type Hint, hintText } from '../errors/hint.ts';

/** The name of the company as the owner of business hours, and the key of its hours. */
export const company = 'company';

/** The name matches no extension or several, with a message. */
export interface FailedLookup {
  readonly found?: undefined;
  readonly kind: 'unknown' | 'ambiguous';
  readonly message: string;
  readonly hint: Hint;
  /** Whether the hint suggests a similar name. */
  readonly near: boolean;
  /** Candidates, one per line. */
  readonly details: readonly string[];
}

/** The result of resolving a name. */
export type Lookup = { readonly found: Extension } | FailedLookup;

/** Returns the problem of a row whose person was not found, with the suggestion. */
export function missText({ kind, message, hint }: FailedLookup): string {
  return kind === 'unknown' ? `${message} (${hintText(hint)})` : message;
}
