/** A text with placeholders for columns: `Hello {{name}}`. */
export interface Template {
  /** Placeholders without a column in the list. */
  readonly unknown: readonly string[];
  /** Placeholders that several columns of the list match. */
  readonly ambiguous: readonly string[];
  /** Column names in the notation of other programs, such as `{name}` or `[name]`, which would be sent as they are. */
  readonly foreign: readonly { readonly text: string; readonly name: string }[];
  /** Indexes of the columns that the template uses. */
  readonly used: readonly number[];
  /** Returns the text of one row. */
  fill(cells: readonly string[]): string;
  /** Headings of the empty cells in this row that the template uses. */
  empty(cells: readonly string[]): readonly string[];
}

/** Placeholders of other programs, without the name in them. */
const foreignPlaceholder = /\$?\{\{?([^{}]+)\}\}?|\[([^[\]]+)\]|<([^<>]+)>|%(\S[^%]*)%|«([^«»]+)»/g;

/** Parses a template for a list with these headings; case, Unicode form and spaces around names are ignored. */
export function readTemplate(template: string, headings: readonly string[]): Template {
  const placeholder = /\{\{([^{}]*)\}\}/g;
  const isNamed = (heading: string, name: string): boolean => comparable(heading) === comparable(name);
  const indexOf = (name: string): number => headings.findIndex((heading) => isNamed(heading, name));
  const names = [...template.matchAll(placeholder)].map((match) => match[1] ?? '');
  const foreign = [...template.replaceAll(placeholder, '').matchAll(foreignPlaceholder)].map(
    ([text, ...groups]) => ({ text, name: groups.find((group) => group !== undefined)?.trim() ?? '' }),
  );
  const used = [...new Set(names.map(indexOf))];
  return {
    unknown: names.filter((name) => indexOf(name) < 0).map((name) => name.trim()),
    ambiguous: names
      .filter((name) => headings.filter((heading) => isNamed(heading, name)).length > 1)
      .map((name) => name.trim()),
    foreign: foreign.filter(({ name }) => indexOf(name) >= 0),
    used,
    fill: (cells) =>
      template.replaceAll(placeholder, (_whole, name: string) => cells[indexOf(name)]?.trim() ?? ''),
    empty: (cells) =>
      used.filter((index) => (cells[index] ?? '').trim() === '').map((index) => headings[index] ?? ''),
  };
}

function comparable(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
