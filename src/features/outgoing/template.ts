/** A text with placeholders for columns: `Hello {{name}}`. */
export interface Template {
  /** Placeholders without a column in the list. */
  readonly unknown: readonly string[];
  /** Placeholders that several columns of the list match. */
  readonly ambiguous: readonly string[];
  /** Indexes of the columns that the template uses. */
  readonly used: readonly number[];
  /** Returns the text of one row. */
  fill(cells: readonly string[]): string;
  /** Headings of the empty cells in this row that the template uses. */
  empty(cells: readonly string[]): readonly string[];
}

/** Parses a template for a list with these headings; case and spaces around names are ignored. */
export function readTemplate(template: string, headings: readonly string[]): Template {
  const placeholder = /\{\{([^{}]*)\}\}/g;
  const isNamed = (heading: string, name: string): boolean =>
    heading.trim().toLowerCase() === name.trim().toLowerCase();
  const indexOf = (name: string): number => headings.findIndex((heading) => isNamed(heading, name));
  const names = [...template.matchAll(placeholder)].map((match) => match[1] ?? '');
  const used = [...new Set(names.map(indexOf))];
  return {
    unknown: names.filter((name) => indexOf(name) < 0).map((name) => name.trim()),
    ambiguous: names
      .filter((name) => headings.filter((heading) => isNamed(heading, name)).length > 1)
      .map((name) => name.trim()),
    used,
    fill: (cells) =>
      template.replaceAll(placeholder, (_whole, name: string) => cells[indexOf(name)]?.trim() ?? ''),
    empty: (cells) =>
      used.filter((index) => (cells[index] ?? '').trim() === '').map((index) => headings[index] ?? ''),
  };
}
