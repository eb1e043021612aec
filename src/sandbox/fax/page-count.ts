import { inflateSync } from 'node:zlib';

/**
 * Counts the pages of a PDF: its page objects, including those in compressed object streams. The result is from 1 to
 * `most`.
 */
export function countPdfPages(bytes: Uint8Array, most = Infinity): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const plain = countPageObjects(text, most);
  return Math.max(1, plain > 0 ? plain : countInStreams(text, most));
}

function countPageObjects(text: string, most: number): number {
  const pattern = /\/Type\s*\/Page(?![A-Za-z])/g;
  let count = 0;
  while (count < most && pattern.test(text)) count += 1;
  return count;
}

/** Maximum bytes of one inflated stream, and of all streams of a document, to protect memory and response times. */
const mostInflated = 8 * 1024 * 1024;
const mostInflatedTogether = 4 * mostInflated;
/** Minimum number of bytes that are counted for a stream, so that many empty streams also reach the limit. */
const leastCost = 4096;
/** Number of characters that are searched for the dictionary of an object stream. */
const dictionary = 400;

/** Counts the pages in object streams until `most` pages or the byte limit is reached. */
function countInStreams(text: string, most: number): number {
  let count = 0;
  let left = mostInflatedTogether;
  const pattern = /\/Type\s*\/ObjStm/g;
  while (count < most && left > 0 && pattern.test(text)) {
    const head = text.slice(pattern.lastIndex, pattern.lastIndex + dictionary);
    const opening = /stream\r?\n/.exec(head);
    left -= leastCost;
    if (!opening) continue;
    const start = pattern.lastIndex + opening.index + opening[0].length;
    const end = text.indexOf('endstream', start);
    if (end === -1) return count;
    const limit = Math.min(mostInflated, Math.max(left, leastCost));
    const objects = inflate(text.slice(start, end), limit);
    // A damaged stream counts as the maximum size of a stream, because the number of bytes inflated before
    // the failure is unknown.
    left -= objects?.length ?? limit;
    count += countPageObjects(objects ?? '', most - count);
    pattern.lastIndex = end;
  }
  return count;
}

function inflate(text: string, limit: number): string | undefined {
  try {
    return inflateSync(Buffer.from(text, 'latin1'), { maxOutputLength: limit }).toString('latin1');
  } catch {
    return undefined;
  }
}

/** Counts the pages of a TIFF: its directories. The result is from 1 to `most`. */
export function countTiffPages(bytes: Uint8Array, most = Infinity): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 8) return 1;
  const little = view.getUint16(0) === 0x4949;
  const seen = new Set<number>();
  let at = view.getUint32(4, little);
  while (at !== 0 && at + 2 <= view.byteLength && !seen.has(at) && seen.size < most) {
    seen.add(at);
    const next = at + 2 + view.getUint16(at, little) * 12;
    at = next + 4 <= view.byteLength ? view.getUint32(next, little) : 0;
  }
  return Math.max(1, seen.size);
}
