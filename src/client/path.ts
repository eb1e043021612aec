/**
 * Template tag for a path: percent-encodes each value and refuses what could lead elsewhere.
 * @throws {RangeError} for an empty value, `.` or `..`.
 */
export function path(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return strings.reduce((text, part, index) => text + encodeSegment(String(values[index - 1] ?? '')) + part);
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new RangeError(`"${value}" cannot stand in a path`);
  // "~" is the service's word for "of the signed-in user"; encodeURIComponent leaves it alone.
  return encodeURIComponent(value);
}
