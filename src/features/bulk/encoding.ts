/** The text of a list. @throws {RangeError} that names the encoding when it is not UTF-8. */
export function decodeList(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) throw new RangeError(`it is ${wide}; save it as UTF-8`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new RangeError(
      'it is not UTF-8, most likely Windows-1252 or another 8-bit encoding; save it as UTF-8 ("CSV UTF-8" in a spreadsheet)',
    );
  }
}

/** By the mark in front, else by the zeros that letters of the Latin alphabet have in it. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16 (little endian)';
  if (first === 0xfe && second === 0xff) return 'UTF-16 (big endian)';
  if (first === 0 || second === 0) return `UTF-16 (${first === 0 ? 'big' : 'little'} endian)`;
  return undefined;
}
