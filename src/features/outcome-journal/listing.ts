import type { OutcomeState } from './outcome.ts';

/** Which outcomes a list has. */
export interface Listing {
  /** States of the outcomes; all if empty. */
  readonly states?: readonly OutcomeState[] | undefined;
  /** Maximum number of outcomes. */
  readonly limit?: number | undefined;
}

/**
 * Returns the states and the number of the rows that must be read for a list; null for all. A row in the state `sending`
 * has the outcome `unknown` if its process ended. For a list with only one of the two, this is known after the read.
 */
export function rowsOf({ states = [], limit }: Listing): {
  readonly states: readonly OutcomeState[] | null;
  readonly limit: number | null;
} {
  const [hasUnknown, hasSending] = [states.includes('unknown'), states.includes('sending')];
  const stored = hasUnknown && !hasSending ? [...states, 'sending' as const] : states;
  return {
    states: stored.length === 0 ? null : stored,
    limit: hasUnknown === hasSending ? (limit ?? null) : null,
  };
}

/** Returns the outcomes of a list. */
export function chooseOutcomes<T extends { readonly state: OutcomeState }>(
  outcomes: readonly T[],
  { states = [], limit }: Listing,
): readonly T[] {
  const wanted = states.length === 0 ? outcomes : outcomes.filter(({ state }) => states.includes(state));
  return wanted.slice(0, limit);
}
