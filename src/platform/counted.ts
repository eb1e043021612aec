/** A number with its word: `1 text`, `3 texts`; a word that takes more than an s is given as `many`. */
export function counted(count: number, word: string, many?: string): string {
  return `${count} ${plural(count, word, many)}`;
}

/** The word alone, where the number stands elsewhere: `20 heavy and 1 light requests`. */
export function plural(count: number, word: string, many = `${word}s`): string {
  return count === 1 ? word : many;
}

/** The verb of what was counted. Of a part of a whole it is the part that counts: `1 of 500 rows is left`. */
export function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** The same of what is over: `1 of 500 changes was not made`. */
export function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}
