/** Returns a number with its noun: `1 text`, `3 texts`. `many` is an irregular plural. */
export function counted(count: number, word: string, many?: string): string {
  return `${count} ${plural(count, word, many)}`;
}

/** Returns the noun without its number, in singular or plural: `20 heavy and 1 light requests`. */
export function plural(count: number, word: string, many = `${word}s`): string {
  return count === 1 ? word : many;
}

/** Returns the verb that agrees with a number. For a part of a whole, pass the part: `1 of 500 rows is left`. */
export function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** Returns the verb in the past tense for a number: `1 of 500 changes was not made`. */
export function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}
