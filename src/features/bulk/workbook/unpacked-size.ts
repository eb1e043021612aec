import { createInflateRaw } from 'node:zlib';

/** Maximum number of bytes that a workbook may unpack to. A list of 100,000 rows needs about a quarter of it. */
const maxUnpackedBytes = 128 * 1024 * 1024;

/** Signatures and sizes of the records of a ZIP archive, in bytes. */
const endOfDirectory = { signature: 0x06054b50, size: 22, maxComment: 0xffff };
const directoryEntry = { signature: 0x02014b50, size: 46 };
const localEntry = { signature: 0x04034b50, size: 30 };
const stored = 0;
const deflated = 8;

interface Entry {
  readonly method: number;
  readonly packed: Uint8Array;
}

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

/** Returns the entries of the archive's directory, because the spreadsheet library reads this directory. */
function* entriesOf(bytes: Uint8Array): Generator<Entry, void, undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOffset(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    requireRecord(view, at, directoryEntry);
    const size = view.getUint32(at + 20, true);
    const local = view.getUint32(at + 42, true);
    requireRecord(view, local, localEntry);
    const start =
      local + localEntry.size + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + size > bytes.length) throw damaged();
    yield { method: view.getUint16(at + 10, true), packed: bytes.subarray(start, start + size) };
    at +=
      directoryEntry.size +
      view.getUint16(at + 28, true) +
      view.getUint16(at + 30, true) +
      view.getUint16(at + 32, true);
  }
}

function endOffset(view: DataView): number {
  const { signature, size, maxComment } = endOfDirectory;
  const last = view.byteLength - size;
  for (let at = last; at >= Math.max(0, last - maxComment); at -= 1) {
    if (view.getUint32(at, true) === signature) return at;
  }
  throw damaged();
}

function requireRecord(
  view: DataView,
  at: number,
  { signature, size }: { readonly signature: number; readonly size: number },
): void {
  if (at + size > view.byteLength || view.getUint32(at, true) !== signature) throw damaged();
}

function damaged(cause?: unknown): RangeError {
  return new RangeError('the file is a damaged ZIP archive; save the list again', { cause });
}
