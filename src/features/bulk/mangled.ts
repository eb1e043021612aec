interface Mark {
  readonly pattern: RegExp;
  readonly says: string;
}

const marks: readonly Mark[] = [
  {
    pattern: /^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i,
    says: 'looks rewritten by a spreadsheet; format the column as text',
  },
  { pattern: /^\d+[.,]0+$/, says: 'looks rewritten by a spreadsheet; format the column as text' },
  { pattern: /^#(ref|n\/a|value|name|div\/0|num|null)[!?]?$/i, says: 'is a spreadsheet error, not a value' },
  { pattern: /^=/, says: 'is a spreadsheet formula; paste values instead' },
  // A double keeps 15 digits: the rest of a longer id comes out as zeros.
  { pattern: /^\d{15}0+$/, says: 'has lost its last digits in a spreadsheet; format the column as text' },
];

/** What a spreadsheet did to an id or number, in words; undefined when it looks whole. */
export function mangledBy(value: string): string | undefined {
  const mark = marks.find(({ pattern }) => pattern.test(value));
  return mark && `"${value}" ${mark.says}`;
}
