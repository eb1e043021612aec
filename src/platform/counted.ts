/** A number with its word, which takes an s for all but one: `1 text`, `3 texts`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
