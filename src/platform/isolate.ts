const letters = '\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EEFF}';
const rightToLeft = new RegExp(`[${letters}]`, 'u');
// From the first right-to-left letter to the last, without other letters or a line break between them.
const runs = new RegExp(`[${letters}]+(?:[^${letters}\\p{L}\\n]+[${letters}]+)*`, 'gu');

/** Returns whether a text contains right-to-left letters. */
export function runsRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Isolates right-to-left text in a line, so that the terminal does not reorder other text. */
export function isolateRuns(line: string): string {
  return line.replace(runs, '\u2068$&\u2069');
}
