import type { Extension } from '../contract/extension.ts';
import type { Hint } from '../errors/hint.ts';

/** A name led to no extension or to several, told in words. */
export interface NameMiss {
  readonly found?: undefined;
  readonly kind: 'unknown' | 'ambiguous';
  readonly message: string;
  readonly hint: Hint;
  /** The hint names what was probably meant. */
  readonly near: boolean;
  /** Candidates, one a line. */
  readonly details: readonly string[];
}

/** What a name led to. */
export type Lookup = { readonly found: Extension } | NameMiss;
