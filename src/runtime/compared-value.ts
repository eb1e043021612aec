/** Returns one of two values that a row compares, as text for people; `-` for no value, and yes or no for a boolean. */
export function comparedValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
