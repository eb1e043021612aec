import { go } from 'fuzzysort';
import type { SearchChoice } from '../runtime/context.ts';

/** Maximum number of choices in the list. A longer list would be slow to draw, and nobody reads it. */
export const maxChoices = 50;

/** The lowest score of a match, from 0 to 1. Below it, the letters of the text only occur somewhere in the name. */
const lowestScore = 0.2;

/** The best matches of a text, and the number of all matches. */
export interface FoundChoices {
  readonly found: readonly SearchChoice[];
  readonly total: number;
}

/**
 * Returns the choices that match a text, best first, at most 50. Upper case and diacritics are ignored, words match in
 * any order, and letters may be missing. An empty text matches all choices in their order.
 */
export function searchNames(choices: readonly SearchChoice[], text: string): FoundChoices {
  if (text.trim() === '') return { found: choices.slice(0, maxChoices), total: choices.length };
  const options = { key: searchText, limit: maxChoices, threshold: lowestScore };
  const matches = go(text, choices, options);
  return { found: matches.map(({ obj }) => obj), total: matches.total };
}

function searchText({ label, also = [] }: SearchChoice): string {
  return [label, ...also].join(' ');
}
