import { smsTextUnits } from '../../contract/limits.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import {
  cellPlace,
  earlierResult,
  headingGroups,
  readTable,
  skippedProblems,
  type ListContent,
  type ListProblem,
  type RunInput,
  type RowResult,
  type SkippedRow,
  type TableField,
  type TableRow,
} from '../bulk/index.ts';
import { readTemplate, type Template } from './template.ts';
import { NumberError, understandNumber } from './understand.ts';

/** One text of a list. */
export interface ListedText {
  readonly to: string;
  readonly text: string;
  /** Indexes of the rows with this text. The text is sent for the first row; the other rows are duplicates. */
  readonly rows: readonly number[];
}

/** A list of texts and its problems. */
export interface TextList {
  readonly texts: readonly ListedText[];
  readonly input: RunInput;
  /** Number of rows that are skipped, because their text was sent according to the results file. */
  readonly sent: number;
  /** Number of rows that are skipped, because their outcome is unknown according to the results file. */
  readonly unknown: number;
  /**
   * Message for a template with placeholders that are not columns of the list, that match several columns, or that have
   * another notation. In this case, nothing is sent.
   */
  readonly templateProblem?: string;
  /** Problems of the list. If there are problems, nothing is sent without --skip-invalid. */
  readonly problems: readonly ListProblem[];
  /** The rows with problems, which --skip-invalid skips. */
  readonly invalid: readonly SkippedRow[];
}

type Field = 'to';
const fields: readonly TableField<Field>[] = [
  {
    name: 'to',
    headings: headingGroups.to,
    column: 'required',
    cell: 'required',
    alias: 'number',
  },
];

export interface TextListOptions {
  readonly template: string;
  readonly map: ReadonlyMap<string, string>;
  /** Two-letter country of numbers without a country code. */
  readonly country: string | undefined;
  /** Whether to accept numbers that are too short or too long for their country. */
  readonly force?: boolean | undefined;
}

/**
 * Reads a list of recipients and fills the template for each row. Rows with the same text and number become one text.
 */
export async function readTextList(
  content: ListContent,
  file: string,
  options: TextListOptions,
): Promise<TextList> {
  const table = readTable<Field>(content, file, { fields, map: options.map });
  const { input } = table;
  const nothing = { texts: [], input, sent: 0, unknown: 0, invalid: [] };
  // A row whose text was sent is not sent again, so its problems have no effect.
  const problems = table.problems.filter(({ row }) => !settledResult(input, input.rows[row ?? -1] ?? []));
  if (table.rows.length === 0) return { ...nothing, problems };
  const template = readTemplate(options.template, table.headings);
  const templateProblem = problemOfTemplate(template, file, table.headings);
  if (templateProblem !== undefined) return { ...nothing, problems, templateProblem };
  const readable = new Set(table.readable);
  const skipped = { sent: 0, unknown: 0 };
  const texts = new Map<string, { to: string; text: string; rows: number[] }>();
  for (const [index, row] of table.rows.entries()) {
    const earlier = settledResult(input, row.cells);
    if (earlier) {
      skipped[earlier.status === 'unknown' ? 'unknown' : 'sent'] += 1;
      continue;
    }
    if (!readable.has(row)) continue;
    const found: ListProblem[] = [];
    const at = (heading: string, text: string): void =>
      void found.push({ place: cellPlace(row.place, heading), text, isOfRow: true, row: index });
    for (const heading of template.empty(row.cells)) at(heading, 'is empty, but the template uses it');
    for (const column of template.used) {
      const fault = row.fault(column);
      if (fault !== undefined) at(table.headings[column] ?? '', fault);
    }
    const text = template.fill(row.cells);
    const problem = textProblem(text);
    if (problem !== undefined) at('text', problem);
    const to = await numberOf(row, options, (words) => at(row.heading('to'), words));
    problems.push(...found);
    if (to === undefined || found.length > 0) continue;
    const key = JSON.stringify([to, text]);
    const known = texts.get(key);
    if (known) known.rows.push(index);
    else texts.set(key, { to, text, rows: [index] });
  }
  return { texts: [...texts.values()], input, problems, invalid: skippedProblems(problems), ...skipped };
}

function problemOfTemplate(
  { unknown, ambiguous, foreign }: Template,
  file: string,
  headings: readonly string[],
): string | undefined {
  if (unknown.length > 0) {
    const names = unknown.map((name) => `{{${name}}}`).join(', ');
    return `--template: ${names} not found in the columns of ${file}: ${headings.join(', ')}`;
  }
  const [wrong] = foreign;
  if (wrong) return `--template: ${wrong.text} is not a placeholder; write {{${wrong.name}}}`;
  const [name] = ambiguous;
  return name === undefined
    ? undefined
    : `--template: several columns of ${file} match {{${name}}}: ${headings.join(', ')}`;
}

const settled = new Set(['sent', 'duplicate', 'unknown']);

/** Returns the result of a row in a results file, if its text was sent or may have been sent. Such a row is skipped. */
export function settledResult(input: RunInput, row: readonly string[]): RowResult | undefined {
  const earlier = earlierResult(input, row);
  return earlier && settled.has(earlier.status) ? earlier : undefined;
}

async function numberOf(
  row: TableRow<Field>,
  { country, force }: Pick<TextListOptions, 'country' | 'force'>,
  report: (words: string) => void,
): Promise<string | undefined> {
  try {
    return (await understandNumber(row.value('to'), country, force)).number;
  } catch (error) {
    if (!(error instanceof NumberError)) throw error;
    report(explained(error));
    return undefined;
  }
}

function explained({ message, problem }: NumberError): string {
  if (problem === 'wrong-length') return `${message} (to send it anyway: --force-number)`;
  if (problem === 'missing-plus' || problem === 'plus-or-country')
    return `${message} (a spreadsheet removes the +; format the column as text)`;
  return message;
}

function textProblem(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  const units = countUtf16Units(text);
  return units <= smsTextUnits
    ? undefined
    : `has ${units} UTF-16 code units, but the maximum is ${smsTextUnits}`;
}
