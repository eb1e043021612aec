/** Replaces all line breaks of a text (CRLF, CR) by line feeds. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
