import { createInflateRaw } from 'node:zlib';
import { damaged, deflated, entriesOf, stored, type Entry } from './archive.ts';

/** Maximum number of bytes that a workbook may unpack to. A list of 100,000 rows needs about a quarter of it. */
const maxUnpackedBytes = 128 * 1024 * 1024;

/**
 * Unpacks every entry of a ZIP archive without storing it, and rejects an archive that unpacks to more than the limit.
 * The sizes in the directory of the archive are not used, because a malicious archive states false sizes.
 * @throws {RangeError} with the reason, for a person.
 */
export async function requireBoundedArchive(bytes: Uint8Array, limit = maxUnpackedBytes): Promise<void> {
  let total = 0;
  for (const entry of entriesOf(bytes)) {
    for await (const size of unpackedSizes(entry)) {
      total += size;
      if (total > limit) {
        throw new RangeError(
          `the unpacked size of the file is more than ${Math.round(limit / 1024 / 1024)} MB; save the list as CSV, or remove other sheets and pictures`,
        );
      }
    }
  }
}

async function* unpackedSizes({ method, packed }: Entry): AsyncGenerator<number, void, undefined> {
  if (method === stored) {
    yield packed.length;
    return;
  }
  if (method !== deflated) throw damaged();
  const inflate = createInflateRaw();
  inflate.end(packed);
  try {
    for await (const chunk of inflate) yield (chunk as Buffer).length;
  } catch (cause) {
    throw damaged(cause);
  }
}
