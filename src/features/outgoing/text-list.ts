import { smsTextUnits } from '../../contract/limits.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import {
  cellPlace,
  earlierResult,
  readTable,
  type ListProblem,
  type RunInput,
  type RowResult,
  type TableField,
  type TableRow,
} from '../bulk/index.ts';
import { readTemplate } from './template.ts';
import { understandNumber } from './understand.ts';

/** One text of a list. */
export interface ListedText {
  readonly to: string;
  readonly text: string;
  /** Rows of the list that ask for it: the first is sent, the others are the same again. */
  readonly rows: readonly number[];
}

/** A list of texts, or everything that is wrong with it. */
export interface TextList {
  readonly texts: readonly ListedText[];
  readonly input: RunInput;
  /** How many rows are left out, because a results file says that their text went out. */
  readonly sent: number;
  /** How many are left out, because it says that nobody knows whether it did. */
  readonly unknown: number;
  /** Nothing may be sent when there is one. */
  readonly problems: readonly ListProblem[];
}

type Field = 'to';
const fields: readonly TableField<Field>[] = [
  {
    name: 'to',
    headings: ['to', 'number', 'phonenumber', 'phone', 'mobile', 'receiver'],
    column: 'required',
    cell: 'required',
    alias: 'number',
  },
];

export interface TextListOptions {
  readonly template: string;
  readonly map: ReadonlyMap<string, string>;
  /** Of numbers without a country code. */
  readonly country: string | undefined;
}

/** Reads a CSV list of receivers and fills the template for each. The same text to the same number is one text. */
export async function readTextList(
  source: string,
  file: string,
  options: TextListOptions,
): Promise<TextList> {
  const table = readTable<Field>(source, file, { fields, map: options.map });
  const { input } = table;
  const nothing = { texts: [], input, sent: 0, unknown: 0 };
  if (table.rows.length === 0) return { ...nothing, problems: table.problems };
  const template = readTemplate(options.template, table.headings);
  if (template.unknown.length > 0) {
    const text = `the template uses {{${template.unknown.join('}}, {{')}}}; the list has the columns ${table.headings.join(', ')}`;
    return { ...nothing, problems: [...table.problems, { place: undefined, text }] };
  }
  const problems = [...table.problems];
  const readable = new Set(table.readable);
  const left = { sent: 0, unknown: 0 };
  const texts = new Map<string, { to: string; text: string; rows: number[] }>();
  for (const [index, row] of table.rows.entries()) {
    const earlier = settledResult(input, row.cells);
    if (earlier) {
      left[earlier.status === 'unknown' ? 'unknown' : 'sent'] += 1;
      continue;
    }
    if (!readable.has(row)) continue;
    const at = (heading: string, text: string): void =>
      void problems.push({ place: cellPlace(row.place, heading), text });
    for (const heading of template.empty(row.cells)) at(heading, 'is empty, and the template uses it');
    const text = template.fill(row.cells);
    const trouble = textTrouble(text);
    if (trouble !== undefined) at('text', trouble);
    const to = await numberOf(row, options.country, (words) => at(row.heading('to'), words));
    if (to === undefined) continue;
    const key = JSON.stringify([to, text]);
    const known = texts.get(key);
    if (known) known.rows.push(index);
    else texts.set(key, { to, text, rows: [index] });
  }
  return { texts: [...texts.values()], input, problems, ...left };
}

const settled = new Set(['sent', 'duplicate', 'unknown']);

/** What a results file says of a row whose text went out, or may have: it is not sent again. */
export function settledResult(input: RunInput, row: readonly string[]): RowResult | undefined {
  const earlier = earlierResult(input, row);
  return earlier && settled.has(earlier.status) ? earlier : undefined;
}

async function numberOf(
  row: TableRow<Field>,
  country: string | undefined,
  complain: (words: string) => void,
): Promise<string | undefined> {
  try {
    return (await understandNumber(row.value('to'), country)).number;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    complain(error.message);
    return undefined;
  }
}

function textTrouble(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  const units = countUtf16Units(text);
  return units <= smsTextUnits
    ? undefined
    : `has ${units} UTF-16 code units; at most ${smsTextUnits} can be sent`;
}
