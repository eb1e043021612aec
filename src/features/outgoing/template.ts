/** A text with places for cells: `Hello {{name}}`. */
export interface Template {
  /** Names of columns that have no column in the list, as written. */
  readonly unknown: readonly string[];
  /** The text of one row. */
  fill(cells: readonly string[]): string;
  /** Headings whose cells are empty in this row, though the template uses them. */
  empty(cells: readonly string[]): readonly string[];
}

/** Reads a template against the headings of a list; case and the spaces around names do not matter. */
export function readTemplate(template: string, headings: readonly string[]): Template {
  const place = /\{\{([^{}]*)\}\}/g;
  const indexOf = (name: string): number =>
    headings.findIndex((heading) => heading.trim().toLowerCase() === name.trim().toLowerCase());
  const names = [...template.matchAll(place)].map((match) => match[1] ?? '');
  return {
    unknown: names.filter((name) => indexOf(name) < 0).map((name) => name.trim()),
    fill: (cells) => template.replaceAll(place, (_whole, name: string) => cells[indexOf(name)]?.trim() ?? ''),
    empty: (cells) =>
      [...new Set(names.map(indexOf))]
        .filter((index) => (cells[index] ?? '').trim() === '')
        .map((index) => headings[index] ?? ''),
  };
}
