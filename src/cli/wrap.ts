/** Breaks text at spaces so that lines fit `width`. Line breaks are preserved; a longer word stays whole. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    lines.push(line);
    return lines;
  });
}

/** Minimum width of wrapped texts. In a narrow terminal, texts get this width before terms get a column. */
const leastText = 20;

/** Terms and texts in two columns, with wrapped texts. A term that is too long for its column gets a separate line. */
export function definitions(entries: readonly (readonly [string, string])[], width: number): string {
  const room = Math.min(Math.max(8, Math.floor(width / 2) - 10), width - leastText - 4);
  const longest = Math.max(0, ...entries.map(([term]) => term.length));
  const left = Math.max(0, Math.min(30, room, longest));
  const edge = ' '.repeat(left + 4);
  return entries
    .map(([term, text]) => {
      const [first = '', ...more] = wrap(text, width - edge.length);
      const head =
        term.length > left ? `  ${term}\n${edge}${first}` : `  ${term.padEnd(left)}  ${first}`.trimEnd();
      return [head, ...more.map((line) => edge + line)].join('\n');
    })
    .join('\n');
}
