import { contentOf, entriesOf, withContents, type Entry } from './archive.ts';

/** A workbook as the spreadsheet library reads it correctly, and what the library does not return. */
export interface PreparedWorkbook {
  readonly bytes: Uint8Array;
  /** Whether days are counted from 1904, as in workbooks that a Macintosh created. */
  readonly is1904: boolean;
  /** Positions of the sheets that contain only a chart, counted from 0. */
  readonly charts: ReadonlySet<number>;
}

/**
 * Matches a cell without a value. The groups are its start, the prefix of its namespace, its attributes and its formula.
 * Texts contain no tags, because XML escapes them.
 */
const blankCell =
  /(<((?:\w+:)?)c)(\s[^<>]*?)(?:\/>|>\s*(<\2f\b[^<>]*(?:\/>|>[^<]*<\/\2f\s*>)\s*)?(?:<\2v(?:\s[^<>]*)?(?:\/>|>\s*<\/\2v\s*>))?\s*<\/\2c\s*>)/g;
const sharedTextOrFlag = /\st\s*=\s*(?:"[sb]"|'[sb]')/;
/** Matches the type and the value of a cell with a shared text. The groups are the text before the type, after it, and the value. */
const sharedText =
  /(\st\s*=\s*)(?:"s"|'s')([^<>]*>\s*(?:<(?:\w+:)?f\b[^<>]*(?:\/>|>[^<]*<\/(?:\w+:)?f\s*>)\s*)?<(?:\w+:)?v(?:\s[^<>]*)?>)([^<]*)/g;
/** The value of an error cell for a shared text that the workbook does not contain. */
export const missingText = '#TEXT!';
const tag = (name: string): RegExp => new RegExp(`<(?:\\w+:)?${name}\\b(?:[^<>"']|"[^"]*"|'[^']*')*>`, 'g');

/**
 * Prepares a workbook for the library. In blank cells, the library would read the first shared text, `false` or 0,
 * depending on their type. It would read a cell as empty if its shared text is missing.
 */
export function prepareWorkbook(bytes: Uint8Array): PreparedWorkbook {
  const sheetContents = new Map<Entry, Buffer>();
  const chartIds = new Set<string>();
  let workbook = '';
  let sharedTexts = 0;
  for (const entry of entriesOf(bytes)) {
    if (!/\.(xml|rels)$/i.test(entry.name)) continue;
    const content = contentOf(entry);
    if (entry.name.endsWith('.rels')) for (const id of chartsOf(content.toString())) chartIds.add(id);
    else if (isRoot('sst', content)) sharedTexts = countTexts(content);
    else if (content.includes('sheetData')) sheetContents.set(entry, content);
    else if (isRoot('workbook', content)) workbook = content.toString();
  }
  const contents = new Map<Entry, Buffer>();
  for (const [entry, content] of sheetContents) {
    // One byte is one character, so that all other bytes stay unchanged.
    const given = content.toString('latin1');
    const sheet = withMissingTexts(withEmptyCells(given), sharedTexts);
    if (sheet !== given) contents.set(entry, Buffer.from(sheet, 'latin1'));
  }
  const sheets = workbook.match(tag('sheet')) ?? [];
  return {
    bytes: contents.size === 0 ? bytes : withContents(bytes, contents),
    is1904: /\sdate1904\s*=\s*["'](?:1|true)["']/.test(workbook.match(tag('workbookPr'))?.join('') ?? ''),
    charts: new Set(
      sheets.flatMap((sheet, index) => (chartIds.has(attribute(sheet, String.raw`\w+:id`)) ? [index] : [])),
    ),
  };
}

/** Whether the content has this element at its start. */
function isRoot(name: string, content: Buffer): boolean {
  return new RegExp(`<(?:\\w+:)?${name}[\\s>]`).test(content.toString('latin1', 0, 4096));
}

/** Returns the number of texts in the table of shared texts. */
function countTexts(table: Buffer): number {
  return table.toString('latin1').match(tag('si'))?.length ?? 0;
}

/** Returns the sheet with an error in each cell whose shared text is not one of the texts of the workbook. */
function withMissingTexts(sheet: string, sharedTexts: number): string {
  let changed = '';
  let end = 0;
  // Most sheets need no change, and `replaceAll` would take several times as long.
  for (const { 0: found, 1: start = '', 2: rest = '', 3: text = '', index } of sheet.matchAll(sharedText)) {
    if (/^\s*\d+\s*$/.test(text) && Number(text) < sharedTexts) continue;
    changed += `${sheet.slice(end, index)}${start}"e"${rest}${missingText}`;
    end = index + found.length;
  }
  return end === 0 ? sheet : changed + sheet.slice(end);
}

function withEmptyCells(sheet: string): string {
  return sheet.replaceAll(
    blankCell,
    (_cell, start: string, prefix: string, attributes: string, formula: string | undefined) =>
      start +
      attributes.replace(sharedTextOrFlag, '') +
      (formula === undefined ? '/>' : `>${formula}</${prefix}c>`),
  );
}

function chartsOf(relationships: string): readonly string[] {
  return (relationships.match(tag('Relationship')) ?? [])
    .filter((relationship) => attribute(relationship, 'Type').endsWith('/chartsheet'))
    .map((relationship) => attribute(relationship, 'Id'));
}

function attribute(element: string, name: string): string {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(element) ?? [];
  return double ?? single ?? '';
}
