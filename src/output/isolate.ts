const letters = '\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EEFF}';
const rightToLeft = new RegExp(`[${letters}]`, 'u');
// From the first such letter to the last, whatever stands between them but other letters and the end of the line.
const runs = new RegExp(`[${letters}]+(?:[^${letters}\\p{L}\\n]+[${letters}]+)*`, 'gu');

/** Whether something in it runs from right to left. */
export function runsRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** For a line on a terminal: what runs from right to left must not reorder what stands beside it. */
export function isolateRuns(line: string): string {
  return line.replace(runs, '\u2068$&\u2069');
}
