import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { OutputFormat } from '../../src/runtime/output.ts';
import { widthOf } from '../../src/platform/text-width.ts';

/** Fails unless `stdout` is a complete and valid document of the format. */
export function expectValid(
  stdout: string,
  format: OutputFormat,
  live: boolean,
  columns: number | undefined,
): void {
  if (format === 'json' && live) return expectValid(stdout, 'ndjson', live, columns);
  checks[format](stdout, columns);
}

const checks: Readonly<Record<OutputFormat, (stdout: string, columns: number | undefined) => void>> = {
  json(stdout) {
    expect(stdout.endsWith('\n')).toBe(true);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  },
  ndjson(stdout) {
    if (stdout === '') return;
    expect(stdout.endsWith('\n')).toBe(true);
    for (const line of stdout.slice(0, -1).split('\n')) expect(JSON.parse(line)).toBeTypeOf('object');
  },
  csv(stdout) {
    const rows = csvRows(stdout);
    expect(new Set(rows.map((row) => row.length)).size).toBeLessThanOrEqual(1);
    expect(new Set(rows[0]).size).toBe(rows[0]?.length ?? 0);
  },
  tsv(stdout) {
    if (stdout === '') return;
    expect(stdout.endsWith('\n')).toBe(true);
    const cells = stdout
      .slice(0, -1)
      .split('\n')
      .map((line) => line.split('\t').length);
    expect(new Set(cells).size).toBe(1);
    expect(stdout).not.toContain('…');
  },
  yaml(stdout) {
    const documents = parseAllDocuments(stdout);
    if (!Array.isArray(documents)) return;
    for (const document of documents) expect(document.errors).toEqual([]);
  },
  table(stdout, columns) {
    if (stdout === '') return;
    expect(stdout.endsWith('\n')).toBe(true);
    if (columns === undefined) return;
    const widths = stdout.split('\n').map((line) => widthOf(stripVTControlCharacters(line)));
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  },
};

/** RFC 4180, strictly: CRLF after each record, quotes only around whole cells. */
function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const from = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`no CSV from ${JSON.stringify(text.slice(from, from + 60))}`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] !== ',') rows.push(row.splice(0));
  }
  expect(row).toEqual([]);
  return rows;
}
