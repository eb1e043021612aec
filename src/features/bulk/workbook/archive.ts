import { crc32, inflateRawSync } from 'node:zlib';

/** Signatures and sizes of the records of a ZIP archive, in bytes. */
const endOfDirectory = { signature: 0x06054b50, size: 22, maxComment: 0xffff };
const directoryEntry = { signature: 0x02014b50, size: 46 };
const localEntry = { signature: 0x04034b50, size: 30 };
/** Methods of compression. */
export const stored = 0;
export const deflated = 8;

/** A file of a ZIP archive. */
export interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: Uint8Array;
  /** Offset of its record in the directory of the archive. */
  readonly record: number;
}

/** Returns the entries of the archive's directory, because the spreadsheet library reads this directory. */
export function* entriesOf(bytes: Uint8Array): Generator<Entry, void, undefined> {
  const view = viewOf(bytes);
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
    const next = at + directoryEntry.size + view.getUint16(at + 28, true);
    const name = Buffer.from(bytes.subarray(at + directoryEntry.size, next)).toString();
    yield {
      name,
      method: view.getUint16(at + 10, true),
      packed: bytes.subarray(start, start + size),
      record: at,
    };
    at = next + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

/** Returns the unpacked content of an entry. @throws {RangeError} if the entry is damaged. */
export function contentOf({ method, packed }: Entry): Buffer {
  if (method === stored) return Buffer.from(packed);
  try {
    return inflateRawSync(packed);
  } catch (cause) {
    throw damaged(cause);
  }
}

/** Returns the archive with new contents of some entries. They follow the archive, before a copy of its directory. */
export function withContents(bytes: Uint8Array, contents: ReadonlyMap<Entry, Buffer>): Uint8Array {
  const view = viewOf(bytes);
  const end = endOffset(view);
  const start = view.getUint32(end + 16, true);
  const directory = Buffer.from(bytes.subarray(start));
  const parts: Uint8Array[] = [bytes];
  let length = bytes.length;
  for (const [{ name, record }, content] of contents) {
    const header = Buffer.alloc(localEntry.size + Buffer.byteLength(name));
    header.writeUInt32LE(localEntry.signature, 0);
    header.writeUInt16LE(Buffer.byteLength(name), 26);
    header.write(name, localEntry.size);
    const at = record - start;
    // Flags and method: the sizes are in the directory, and the content is not compressed.
    directory.writeUInt32LE(0, at + 8);
    directory.writeUInt32LE(crc32(content), at + 16);
    directory.writeUInt32LE(content.length, at + 20);
    directory.writeUInt32LE(content.length, at + 24);
    directory.writeUInt32LE(length, at + 42);
    parts.push(header, content);
    length += header.length + content.length;
  }
  directory.writeUInt32LE(length, end - start + 16);
  return Buffer.concat([...parts, directory]);
}

/** The error for an archive that cannot be read. */
export function damaged(cause?: unknown): RangeError {
  return new RangeError('the file is a damaged ZIP archive; save the list again', { cause });
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
