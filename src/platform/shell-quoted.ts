/** Quotes a text for any POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a word only if a shell would change it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : shellQuoted(text);
}
