import { inflateSync } from 'node:zlib';

/** Counts the pages of a PDF: its page objects, also those in compressed object streams. At least one. */
export function countPdfPages(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const plain = countPageObjects(text);
  return Math.max(1, plain > 0 ? plain : countInStreams(text));
}

function countPageObjects(text: string): number {
  return text.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
}

/** Bytes of one inflated stream: a document is not to fill the memory. */
const MOST_INFLATED = 8 * 1024 * 1024;

function countInStreams(text: string): number {
  let count = 0;
  for (const match of text.matchAll(/\/Type\s*\/ObjStm[^]{0,400}?stream\r?\n/g)) {
    const start = match.index + match[0].length;
    const end = text.indexOf('endstream', start);
    if (end !== -1) count += countPageObjects(inflate(text.slice(start, end)));
  }
  return count;
}

function inflate(text: string): string {
  try {
    return inflateSync(Buffer.from(text, 'latin1'), { maxOutputLength: MOST_INFLATED }).toString('latin1');
  } catch {
    return '';
  }
}

/** Counts the pages of a TIFF: its directories. At least one. */
export function countTiffPages(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 8) return 1;
  const little = view.getUint16(0) === 0x4949;
  const seen = new Set<number>();
  let at = view.getUint32(4, little);
  while (at !== 0 && at + 2 <= view.byteLength && !seen.has(at)) {
    seen.add(at);
    const next = at + 2 + view.getUint16(at, little) * 12;
    at = next + 4 <= view.byteLength ? view.getUint32(next, little) : 0;
  }
  return Math.max(1, seen.size);
}
