/** Maximum size in bytes of a file or standard input that is read as a whole. Node cannot make a longer text. */
const maxBytes = 512 * 1024 * 1024 - 1024;

/**
 * Reads a file or a stream of the user as a whole. A device or pipe without an end would otherwise use up the memory of
 * the machine.
 * @throws an error with code `ERR_FS_FILE_TOO_LARGE`, as Node throws for a large file
 */
export async function readBounded(source: AsyncIterable<unknown>, limit = maxBytes): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    pieces.push(piece as Uint8Array);
    size += (piece as Uint8Array).length;
    if (size > limit) throw tooLarge();
  }
  return Buffer.concat(pieces, size);
}

function tooLarge(): Error {
  const code = 'ERR_FS_FILE_TOO_LARGE';
  return Object.assign(new Error('the content is larger than 512 MB'), { code, syscall: 'read' });
}
