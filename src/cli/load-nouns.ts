import type { NounSpec, RegisteredNoun } from '../runtime/define.ts';

/** Loads all nouns, for the root help, completions and the reference. */
export function loadAll(nouns: readonly RegisteredNoun[]): Promise<readonly NounSpec[]> {
  return Promise.all(nouns.map(({ load }) => load()));
}
