/** Quotes a text for any POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a word only if a shell would change it. */
export function shellWord(text: string): string {
  return /^(--[\w-]+=)?[\w./:@%+,-]+$/.test(text) ? text : shellQuoted(text);
}

/** Returns the command line of these words. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
