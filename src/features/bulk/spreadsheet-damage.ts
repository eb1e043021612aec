interface Mark {
  readonly pattern: RegExp;
  readonly says: string;
}

const marks: readonly Mark[] = [
  {
    pattern: /^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i,
    says: 'was probably changed by a spreadsheet; format the column as text',
  },
  { pattern: /^\d+[.,]0+$/, says: 'was probably changed by a spreadsheet; format the column as text' },
  { pattern: /^#(ref|n\/a|value|name|div\/0|num|null)[!?]?$/i, says: 'is a spreadsheet error, not a value' },
  {
    pattern: /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?$/,
    says: 'is a date that a spreadsheet probably created; format the column as text',
  },
  { pattern: /^=/, says: 'is a spreadsheet formula; replace the formula with its value' },
];

/**
 * Whether a value could be a number that lost digits: a spreadsheet stores numbers as doubles with 15 significant digits,
 * and shows further digits of a long ID as zeros.
 */
function mayHaveLostDigits(value: string): boolean {
  return /^\d{15}0+$/.test(value);
}

/** The errors of a spreadsheet, as a cell shows them. */
const errorValues: ReadonlySet<string> = new Set([
  '#REF!',
  '#N/A',
  '#VALUE!',
  '#NAME?',
  '#DIV/0!',
  '#NUM!',
  '#NULL!',
]);

/** Describes a cell of free text that a spreadsheet could not calculate; undefined for any other text. */
export function spreadsheetError(value: string): string | undefined {
  return errorValues.has(value) ? `"${value}" is a spreadsheet error, not a value` : undefined;
}

/**
 * Describes the damage that a spreadsheet did to an ID or number; undefined for an intact value.
 * @param isText whether the cell is text in a workbook, which loses no digits
 */
export function spreadsheetDamage(value: string, isText = false): string | undefined {
  if (!isText && mayHaveLostDigits(value)) return `"${value}" ${lostDigits}`;
  const mark = marks.find(({ pattern }) => pattern.test(value));
  return mark && `"${value}" ${mark.says}`;
}

const lostDigits =
  'lost its last digits in a spreadsheet; format the column as text, then enter the whole value again';
