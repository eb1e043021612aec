/**
 * Template tag for a path: percent-encodes each value and rejects values that would change the path.
 * @throws {RangeError} for an empty value, `.` or `..`.
 */
export function path(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return strings.reduce((text, part, index) => text + encodeSegment(String(values[index - 1] ?? '')) + part);
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new RangeError(`"${value}" is not a valid path segment`);
  // `~` means the signed-in user; encodeURIComponent does not encode it.
  return encodeURIComponent(value);
}
