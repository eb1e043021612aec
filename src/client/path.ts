import { PathValueError } from '../errors/service.ts';

/**
 * Template tag for a path: percent-encodes each value and rejects values that would change the path.
 * @throws {PathValueError} for an empty value, `.`, `..` or a text that is not Unicode.
 */
export function path(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  let text = strings[0] ?? '';
  for (let index = 1; index < strings.length; index += 1)
    text += encodeSegment(String(values[index - 1] ?? '')) + strings[index];
  return text;
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new PathValueError(value);
  try {
    // `~` means the signed-in user; encodeURIComponent does not encode it.
    return encodeURIComponent(value);
  } catch {
    throw new PathValueError(value);
  }
}
