/** Returns the value of a field as text for people; `(none)` for an empty text or no value. */
export function shownValue(value: unknown): string {
  if (value === '' || value === null || value === undefined) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
