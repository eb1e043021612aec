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
const tag = (name: string): RegExp => new RegExp(`<(?:\\w+:)?${name}\\b(?:[^<>"']|"[^"]*"|'[^']*')*>`, 'g');

/**
 * Prepares a workbook for the library. In blank cells, the library would read the first shared text, `false` or 0,
 * depending on their type.
 */
export function prepareWorkbook(bytes: Uint8Array): PreparedWorkbook {
  const contents = new Map<Entry, Buffer>();
  const chartIds = new Set<string>();
  let workbook = '';
  for (const entry of entriesOf(bytes)) {
    if (!/\.(xml|rels)$/i.test(entry.name)) continue;
    const content = contentOf(entry);
    if (entry.name.endsWith('.rels')) for (const id of chartsOf(content.toString())) chartIds.add(id);
    else if (content.includes('sheetData')) {
      // One byte is one character, so that all other bytes stay unchanged.
      const given = content.toString('latin1');
      const sheet = withEmptyCells(given);
      if (sheet !== given) contents.set(entry, Buffer.from(sheet, 'latin1'));
    } else if (/<(?:\w+:)?workbook[\s>]/.test(content.toString('latin1', 0, 4096)))
      workbook = content.toString();
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
