import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Path under which the file of standard output can be opened for reading; Linux only. */
const stdoutFile = '/proc/self/fd/1';

/**
 * Reads at most the last `count` bytes of the file of standard output. Empty if standard output is not a file, or the
 * file is not readable.
 */
export async function endOfStdout(count: number): Promise<Uint8Array> {
  try {
    // Only regular files are opened, because opening a pipe or a terminal again would have side effects.
    if (!fstatSync(1).isFile()) return new Uint8Array();
    const file = await open(stdoutFile, 'r');
    try {
      const stat = await file.stat();
      const start = Math.max(0, stat.size - count);
      const bytes = new Uint8Array(stat.size - start);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return new Uint8Array();
  }
}
