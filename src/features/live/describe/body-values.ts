/** An object of a body. Bodies are not validated, so every member may be missing or have another type. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns the members of a value; none if the value is not an object. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** Returns the objects of an array. A single object counts as an array with one object. */
export function objectsOf(value: unknown): readonly Members[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === 'object' && one !== null).map(membersOf);
}

/** Returns a text or number as text; empty for any other value. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns a count; 0 for a value that is not a positive number. */
export function countOf(value: unknown): number {
  const count = Number(wordOf(value) || 0);
  return Number.isFinite(count) && count > 0 ? count : 0;
}

/** `1 fax`, `2 faxes`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Joins texts as `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
